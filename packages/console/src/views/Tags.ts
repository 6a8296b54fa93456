/** Labels that a manager gives to vaults and bots. As saved views, they are in the browser's storage, for each account. */
import { useMemo } from "react"
import { useSession } from "../connection/Session.ts"
import { useStored } from "./useStored.ts"

/** The kinds of things that have tags. */
export type Tagged = "bots" | "vaults"

export const maxTag = 30
const maxOfOne = 10

/** The tags of each thing, by its key. */
export type Tags = ReadonlyMap<string, ReadonlyArray<string>>

const compare = new Intl.Collator("en").compare

/** Returns a tag as it is stored: without blanks at its ends, and not too long. */
export const cleanedTag = (tag: string): string => tag.trim().replace(/\s+/g, " ").slice(0, maxTag)

/** Adds a tag to things, or takes it from them. A thing that has ten tags gets no other. */
export const withTag = (tags: Tags, keys: Iterable<string>, tag: string, isOn: boolean): Tags => {
  const name = cleanedTag(tag)
  if (name === "") return tags
  const next = new Map(tags)
  for (const key of keys) {
    const others = (next.get(key) ?? []).filter((each) => each !== name)
    const changed = isOn && others.length < maxOfOne ? [...others, name].sort(compare) : others
    if (changed.length === 0) next.delete(key)
    else next.set(key, changed)
  }
  return next
}

/** Parses stored tags; ignores what is not one. */
export const parseTags = (text: string): Tags => {
  const found = new Map<string, ReadonlyArray<string>>()
  for (const [key, tag] of new URLSearchParams(text)) {
    const name = cleanedTag(tag)
    const others = found.get(key) ?? []
    if (name !== "" && !others.includes(name) && others.length < maxOfOne) found.set(key, [...others, name])
  }
  return found
}

/** Formats tags as they are stored. */
export const tagsText = (tags: Tags): string =>
  new URLSearchParams([...tags].flatMap(([key, all]) => all.map((tag) => [key, tag]))).toString()

const none: ReadonlyArray<string> = []

export const useTags = (tagged: Tagged) => {
  const manager = useSession().data?.manager ?? ""
  const [text, store] = useStored(`vault-trader/tags/${manager.toLowerCase()}/${tagged}`)
  return useMemo(() => {
    const tags = parseTags(text)
    return {
      /** All tags in use, by name. */
      all: [...new Set([...tags.values()].flat())].sort(compare),
      tagsOf: (key: string): ReadonlyArray<string> => tags.get(key) ?? none,
      change: (keys: Iterable<string>, tag: string, isOn: boolean) => store(tagsText(withTag(tags, keys, tag, isOn)))
    }
  }, [text, store])
}
