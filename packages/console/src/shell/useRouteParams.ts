/** The parameters in the page's path, by their names; the router does not know their types outside of a route. */
import { useParams } from "@tanstack/react-router"

export const useRouteParams = (): Readonly<Record<string, string | undefined>> => {
  const params: unknown = useParams({ strict: false })
  return params as Readonly<Record<string, string | undefined>>
}
