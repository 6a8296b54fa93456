/** The form's API call as code in a selectable language. */
import { Button, Code, CopyButton, Group, Stack, Text, VisuallyHidden } from "@mantine/core"
import { type Call, keyPlaceholder, type Language, languages, snippetOf } from "@vault-trader/core/console/Snippet"
import { lazy, Suspense, useState } from "react"
import { SegmentedControl } from "./SegmentedControl.tsx"
import { t } from "../text/Text.ts"

const Highlighted = lazy(() => import("./Highlighted.tsx").then(({ Highlighted }) => ({ default: Highlighted })))

export function ApiCode({ endpoint, params }: { readonly endpoint: string; readonly params: Call["params"] }) {
  const [language, setLanguage] = useState<Language>("Webhook URL")
  const text = snippetOf(language, { baseUrl: location.origin, endpoint, apiKey: keyPlaceholder, params })
  return (
    <Stack gap="xs" role="region" aria-label={t("API code")}>
      <SegmentedControl
        fullWidth
        aria-label={t("Language")}
        isVertical={window.innerWidth < 576}
        data={languages.map((each) => ({ value: each, label: each }))}
        value={language}
        onChange={(value) => setLanguage(languages.find((each) => each === value) ?? "curl")}
      />
      <Code
        block
        tabIndex={0}
        aria-label={t("{language} code", { language })}
        style={{ whiteSpace: "pre-wrap", wordBreak: "break-all" }}
      >
        <Suspense fallback={text}>
          <Highlighted language={language} code={text} />
        </Suspense>
      </Code>
      <Group>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <>
              <Button size="xs" variant="default" onClick={copy}>{copied ? t("Copied") : t("Copy code")}</Button>
              <VisuallyHidden aria-live="polite">{copied ? t("Code copied") : ""}</VisuallyHidden>
            </>
          )}
        </CopyButton>
      </Group>
      <Text size="sm">
        {t(
          "Replace {keyPlaceholder} with the wallet’s API key, on a server only: a key in a page, a chart " +
            "or a repository is public.",
          { keyPlaceholder }
        )}
        {language === "Webhook URL" && ` ${t("Call the URL with POST.")}`}
      </Text>
    </Stack>
  )
}
