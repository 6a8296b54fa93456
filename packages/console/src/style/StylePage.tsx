/**
 * The parts of the console in every state, on the devnet only: what a page is made of. `ConsoleStyle.deep.test.ts`
 * compares each section with a picture of it.
 */
import { SimpleGrid, Stack } from "@mantine/core"
import { useWhoAmI } from "../connection/useWhoAmI.ts"
import { NotFoundPage } from "../shell/NotFoundPage.tsx"
import { Page } from "../shell/Page.tsx"
import { Dialogs, Fields } from "./Fields.tsx"
import { Colours, Figures, MarkAndIcons, Type } from "./Foundations.tsx"
import { Decisions, LongTable, Tables, Terms } from "./Lists.tsx"
import { Charts, Pictures } from "./Pictures.tsx"
import { Banners, Buttons, Messages, Nothing, States, Stats } from "./States.tsx"

export function StylePage() {
  const whoAmI = useWhoAmI()
  if (whoAmI.data?.devnet === false) return <NotFoundPage />
  return (
    <Page title="Style" query={whoAmI}>
      <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
        <Stack>
          <Type />
          <Colours />
          <MarkAndIcons />
          <Figures />
          <Tables />
          <LongTable />
          <Terms />
          <Decisions />
          <Fields />
        </Stack>
        <Stack>
          <States />
          <Buttons />
          <Stats />
          <Messages />
          <Banners />
          <Nothing />
          <Dialogs />
          <Pictures />
        </Stack>
      </SimpleGrid>
      <Charts />
    </Page>
  )
}
