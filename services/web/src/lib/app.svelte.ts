/** What all pages share: the way to the services and who is signed in. */
import { IdentityStore } from "./api/identity.svelte";
import { apiOver, pageTransport } from "./api/transport";

/** The guest of this browser. */
export const identity = new IdentityStore(localStorage);

/** The services. */
export const api = apiOver(pageTransport(identity.token));
