/** The names of benchmarks, as people read them. */
import { t } from "../text/Text.ts"

/** Names a benchmark. The one that is no symbol is what the vault held at the start of the period. */
export const benchmarkName = (name: string): string =>
  name.includes(" ") ? t("Holding what it held at the start") : t("Holding {name}", { name })
