/** The cache of the service's responses. Old data stays on the page while new data is loading or cannot be loaded. */
import { QueryClient } from "@tanstack/react-query"

export const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: 2, staleTime: 2_000, refetchInterval: 5_000, refetchOnWindowFocus: true },
    mutations: { retry: false }
  }
})
