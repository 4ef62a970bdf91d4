/** Every word the page shows apart from its games', in one place. Sentences that services send are shown as they come. */
import { plural } from "$lib/ui/phrases";

/** All texts. */
export const texts = {
  title: "Arena",
  lobby: {
    game: "Game",
    name: "Your name",
    players: "Players",
    against: "Against",
    bots: "Bots",
    people: "People",
    play: "Play",
    starting: "Starting",
    queueing: "Looking for players",
    waiting: (count: number, players: number) => `${count} of ${players} here`,
    botsIn: (clock: string) => `Bots fill the empty seats in ${clock}`,
    cancel: "Cancel",
    running: "You have a match under way.",
    rejoin: "Rejoin",
    watchTitle: "Watch a match",
    watchLink: "Link or match id",
    watch: "Watch",
    boardless: (title: string) =>
      `${title} is played here, too, but has no board on this page yet. In a terminal:`,
    terminal: (name: string) => `make play GAME=${name}`,
    guest: (number: number) => `Guest ${number}`,
  },
  rules: { title: "How to play" },
  table: {
    title: "Private table",
    open: "Play with friends",
    invited: "You are invited to a table. By what name will you sit down?",
    sit: "Sit down",
    share: "Send this link to your friends. The match starts when every seat is taken.",
    startWithBots: (free: number) =>
      free === 0 ? "Starting" : `Start now with ${plural(free, "bot", "bots")}`,
    leave: "Leave the table",
    free: "Free seat",
  },
  link: {
    lost: "Reconnecting",
    connecting: "Connecting",
    newer: "A newer version of this page is ready.",
    reload: "Reload",
    later: "Later",
  },
  match: {
    loading: "Joining the match",
    detached: (reason: string) =>
      reason === "SEAT_TAKEN_ELSEWHERE"
        ? "You play this match in another window or on another device."
        : `The server does not show this match here any more (${reason}).`,
    here: "Play here",
    watchOn: "Watch on",
    unknownGame: (title: string) =>
      `This is a match of ${title}, and this page has no board for it yet. It is played in a terminal for now.`,
  },
  menu: {
    open: "Menu",
    watchLink: "Link for watchers",
    theme: (name: string) => `Theme: ${name}`,
    themes: { auto: "as the device", light: "light", dark: "dark" },
    leave: "Leave the match",
    resign: "Resign",
    lobby: "Back to the lobby",
    keys: "Keys",
    close: "Close",
  },
  share: {
    copy: "Copy",
    copied: "Copied",
    watchers: "Whoever opens this link sees the board, but nobody's hand.",
  },
  ask: {
    resign: "Give up this match?",
    resignYes: "Resign",
    leave: "Leave this match?",
    leaveDetail: "A bot plays on in your place. You can take the seat back while the match runs.",
    leaveYes: "Leave",
    no: "Stay",
  },
  seat: {
    all: "Players",
    you: "you",
    bot: "bot",
    turn: "to move",
    botPlays: "A bot is playing your seat.",
    takeBack: "Take it back",
    spectator: "You are watching.",
  },
  log: {
    title: "Log",
    empty: "Nothing has happened yet.",
    gap: "What happened before is not told any more.",
  },
  result: {
    won: "You win!",
    lost: (name: string) => `${name} wins`,
    level: "All square",
    closed: "The match was closed",
    place: (place: number) => `${place}.`,
    again: "Play again",
    look: "Look at the board",
    lobby: "Lobby",
  },
  failure: {
    notFound: "There is no such match.",
    notYours: "That seat is somebody else's.",
    signedOut: "Your guest account has ended. Start from the lobby again.",
    noMatch: (reason: string) => `No match came of it (${reason}). Try again.`,
    toLobby: "To the lobby",
  },
};
