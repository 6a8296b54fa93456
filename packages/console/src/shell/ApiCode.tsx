/** Show API Code: the call that does what the form says, in the language of whoever is to make it. */
import { Button, Code, CopyButton, Group, SegmentedControl, Stack, Text, VisuallyHidden } from "@mantine/core"
import { type Call, keyPlaceholder, type Language, languages, snippetOf } from "@vault-trader/core/console/Snippet"
import { lazy, Suspense, useState } from "react"

const Highlighted = lazy(() => import("./Highlighted.tsx").then(({ Highlighted }) => ({ default: Highlighted })))

export function ApiCode({ endpoint, params }: { readonly endpoint: string; readonly params: Call["params"] }) {
  const [language, setLanguage] = useState<Language>("Webhook URL")
  const text = snippetOf(language, { baseUrl: location.origin, endpoint, apiKey: keyPlaceholder, params })
  return (
    <Stack gap="xs" role="region" aria-label="API code">
      <SegmentedControl
        fullWidth
        aria-label="Language"
        orientation={window.innerWidth < 576 ? "vertical" : "horizontal"}
        data={[...languages]}
        value={language}
        onChange={(value) => setLanguage(languages.find((each) => each === value) ?? "curl")}
      />
      <Code block tabIndex={0} aria-label={`${language} code`} style={{ whiteSpace: "pre-wrap", wordBreak: "break-all" }}><Suspense fallback={text}><Highlighted language={language} code={text} /></Suspense></Code>
      <Group>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <>
              <Button size="xs" variant="default" onClick={copy}>{copied ? "Copied" : "Copy code"}</Button>
              <VisuallyHidden aria-live="polite">{copied ? "Code copied" : ""}</VisuallyHidden>
            </>
          )}
        </CopyButton>
      </Group>
      <Text size="sm">
        Put the wallet’s API key in place of {keyPlaceholder}, on a server: a key in a page, a chart or a repository is everybody’s.
        {language === "Webhook URL" && " The URL is called by POST."}
      </Text>
    </Stack>
  )
}
