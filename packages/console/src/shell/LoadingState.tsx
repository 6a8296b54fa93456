/** Shown while loading, or with the reason why loading failed. */
import { Alert, Button, Center, Loader, Stack } from "@mantine/core"

export function LoadingState({ problem, retry }: { readonly problem?: Error | null; readonly retry?: () => void }) {
  return (
    <Center component="main" mih="50vh" p="md">
      {problem === undefined || problem === null
        ? <Loader aria-label="Loading" />
        : (
          <Stack maw={440}>
            <Alert color="red" role="alert" title="The service does not respond">
              {problem.message} No funds moved.
            </Alert>
            <Button onClick={retry}>Try again</Button>
          </Stack>
        )}
    </Center>
  )
}
