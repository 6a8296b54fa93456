/** Shown while loading, or with the reason why loading failed. */
import { Alert, Button, Center, Loader, Stack } from "@mantine/core"
import { t } from "../text/Text.ts"

export function LoadingState({ problem, retry }: { readonly problem?: Error | null; readonly retry?: () => void }) {
  return (
    <Center component="main" mih="50vh" p="md">
      {problem === undefined || problem === null
        ? <Loader aria-label={t("Loading")} />
        : (
          <Stack maw={440}>
            <Alert color="red" role="alert" title={t("The service does not respond")}>
              {t("{message} No funds moved.", { message: problem.message })}
            </Alert>
            <Button onClick={retry}>{t("Try again")}</Button>
          </Stack>
        )}
    </Center>
  )
}
