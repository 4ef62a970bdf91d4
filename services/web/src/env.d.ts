/** Names this build; see vite.config.ts. */
declare const __VERSION__: string;
