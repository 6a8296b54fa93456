/** The choice of the page's language. Each language is named in itself, so that its readers find it. */
import { NativeSelect } from "@mantine/core"
import { chooseLanguage, language, languages, t } from "./Text.ts"

export function LanguageSelect() {
  return (
    <NativeSelect
      size="xs"
      px={12}
      pt="md"
      label={t("Language")}
      data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
      value={language}
      onChange={(event) => chooseLanguage(event.currentTarget.value)}
    />
  )
}
