/** Which page is shown, following the address bar. */
import { parseRoute, routeTo, type Route } from "./route";

class Router {
  current = $state.raw<Route>(parseRoute(location.hash));

  constructor() {
    addEventListener("hashchange", () => (this.current = parseRoute(location.hash)));
  }

  /** Go to a page. */
  go(route: Route): void {
    location.hash = routeTo(route);
  }
}

/** The page's router. */
export const router = new Router();
