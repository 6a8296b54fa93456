/** When a bot checks next. A time that has passed means that it is checked on every pass, which takes seconds. */
import { Time } from "../shell/Time.tsx"
import { t } from "../text/Text.ts"

export function NextCheck({ at }: { readonly at: string }) {
  return Date.parse(at) <= Date.now() ? t("within seconds") : <Time at={at} />
}
