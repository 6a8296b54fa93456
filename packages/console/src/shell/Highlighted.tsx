/** Syntax highlighting, loaded when code is first shown, with only the snippets' languages. The text is unchanged. */
import { useComputedColorScheme } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { Language } from "@vault-trader/core/console/Snippet"
import { createHighlighterCore } from "shiki/core"
import { createJavaScriptRegexEngine } from "shiki/engine/javascript"
import bash from "shiki/langs/bash.mjs"
import javascript from "shiki/langs/javascript.mjs"
import python from "shiki/langs/python.mjs"
import r from "shiki/langs/r.mjs"
import dark from "shiki/themes/github-dark-high-contrast.mjs"
import light from "shiki/themes/github-light-high-contrast.mjs"

const grammars: Readonly<Partial<Record<Language, string>>> = {
  Python: "python",
  R: "r",
  JavaScript: "javascript",
  curl: "bash"
}

const highlighter = createHighlighterCore({
  themes: [light, dark],
  langs: [python, r, javascript, bash],
  engine: createJavaScriptRegexEngine()
})

export function Highlighted({ code, language }: { readonly language: Language; readonly code: string }) {
  const theme = useComputedColorScheme("light") === "dark" ? "github-dark-high-contrast" : "github-light-high-contrast"
  const ready = useQuery({
    queryKey: ["highlighter"],
    queryFn: () => highlighter,
    staleTime: Infinity,
    refetchInterval: false,
    structuralSharing: false
  })
  const lang = grammars[language]
  if (lang === undefined || ready.data === undefined) return code
  return ready.data.codeToTokensBase(code, { lang, theme }).map((line, index) => (
    // Lines have no other identity than their index.
    <span key={index}>
      {index > 0 && "\n"}
      {line.map(({ color, content, offset }) => <span key={offset} style={{ color }}>{content}</span>)}
    </span>
  ))
}
