/** The cache of what the service said. Old answers stay on the page while a new one is on its way, or does not come. */
import { QueryClient } from "@tanstack/react-query"

export const queries = new QueryClient({
  defaultOptions: { queries: { retry: 2, staleTime: 2_000, refetchInterval: 5_000, refetchOnWindowFocus: true }, mutations: { retry: false } }
})
