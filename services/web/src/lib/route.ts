/** Which page is shown, kept in the address behind the #, so that links can be sent. */

/** A page. */
export type Route =
  | { page: "lobby" }
  | { page: "match"; matchId: string; seat: number }
  | { page: "watch"; matchId: string }
  | { page: "table"; code: string };

/** The address of a page, to put behind the page's own. */
export function routeTo(route: Route): string {
  switch (route.page) {
    case "lobby":
      return "#/";
    case "match":
      return `#/match/${route.matchId}/${route.seat}`;
    case "watch":
      return `#/watch/${route.matchId}`;
    case "table":
      return `#/table/${route.code}`;
  }
}

/** The page of an address; the lobby for any that makes no sense. */
export function parseRoute(hash: string): Route {
  const [page, id = "", seat = ""] = hash.replace(/^#\/?/, "").split("/");
  if (page === "match" && id && /^\d$/.test(seat)) {
    return { page, matchId: id, seat: Number(seat) };
  }
  // Without a seat there is still a match to look at.
  if (page === "watch" || (page === "match" && !seat)) {
    if (id) return { page: "watch", matchId: id };
  }
  if (page === "table" && id) return { page, code: id };
  return { page: "lobby" };
}
