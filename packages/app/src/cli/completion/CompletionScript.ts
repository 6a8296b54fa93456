/** Writes the completion of bash, zsh and fish. Profile names are read when they are needed. */
import type { CompletedCommand, CompletedOption, Shell } from "./CompletionTable.ts"

/** The command that lists the profiles. */
const profileNames = "vault-trader profile list --names 2>/dev/null"

/** Returns the names that are offered; the endpoints' names in the API work as well. */
const offered = (commands: ReadonlyArray<CompletedCommand>): ReadonlyArray<string> =>
  commands.flatMap(({ names }) => names.filter((name, index) => index === 0 || !/[A-Z/]/.test(name)))

const flagWords = (options: ReadonlyArray<CompletedOption>): string => options.map(({ name }) => `--${name}`).join(" ")

/** Returns `option=value,value` for the options that have a list of values. */
const valueWords = (options: ReadonlyArray<CompletedOption>): string =>
  options.filter(({ values }) => values.length > 0).map(({ name, values }) => `${name}=${values.join(",")}`).join(" ")

/** Returns the branches of a `case` over the command's words, for bash and zsh. */
const branches = (commands: ReadonlyArray<CompletedCommand>, path = ""): ReadonlyArray<string> =>
  commands.flatMap(({ names, options, subcommands }) => [
    `    ${names.map((name) => `"${path}${name}"`).join("|")}) subcommands="${
      offered(subcommands).join(" ")
    }" options="${flagWords(options)}" values="${valueWords(options)}";;`,
    ...branches(subcommands, `${path}${names[0] ?? ""} `)
  ])

const bash = (commands: ReadonlyArray<CompletedCommand>): string =>
  `# Completion of vault-trader for bash: source <(vault-trader completion bash)
_vault_trader_words() {
  subcommands="" options="" values=""
  case "$1" in
${branches(commands).join("\n")}
  esac
}
_vault_trader() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local subcommands options values each
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${offered(commands).join(" ")} help --help --version" -- "$current"))
    return
  fi
  case "$previous" in
    --profile) COMPREPLY=($(compgen -W "$(${profileNames})" -- "$current")); return;;
    --*-file) COMPREPLY=($(compgen -f -- "$current")); return;;
  esac
  case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
    "profile use"|"profile show"|"profile remove")
      if [ "$COMP_CWORD" -eq 3 ]; then COMPREPLY=($(compgen -W "$(${profileNames})" -- "$current")); return; fi;;
  esac
  _vault_trader_words "\${COMP_WORDS[1]}"
  if [ -n "$subcommands" ]; then
    if [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W "$subcommands --help" -- "$current")); return; fi
    _vault_trader_words "\${COMP_WORDS[1]} \${COMP_WORDS[2]}"
  fi
  for each in $values; do
    if [ "--\${each%%=*}" = "$previous" ]; then
      each="\${each#*=}"
      COMPREPLY=($(compgen -W "\${each//,/ }" -- "$current"))
      return
    fi
  done
  COMPREPLY=($(compgen -W "$options" -- "$current"))
}
complete -F _vault_trader vault-trader
`

const zsh = (commands: ReadonlyArray<CompletedCommand>): string =>
  `#compdef vault-trader
# Completion of vault-trader for zsh: source <(vault-trader completion zsh)
_vault_trader_words() {
  subcommands="" options="" values=""
  case "$1" in
${branches(commands).join("\n")}
  esac
}
_vault_trader() {
  local previous="\${words[CURRENT-1]}" subcommands options values each
  if (( CURRENT == 2 )); then
    compadd -- ${offered(commands).join(" ")} help --help --version
    return
  fi
  case "$previous" in
    --profile) compadd -- \${(f)"$(${profileNames})"}; return;;
    --*-file) _files; return;;
  esac
  if [[ "$words[2] $words[3]" == "profile "(use|show|remove) && CURRENT -eq 4 ]]; then
    compadd -- \${(f)"$(${profileNames})"}
    return
  fi
  _vault_trader_words "$words[2]"
  if [[ -n "$subcommands" ]]; then
    if (( CURRENT == 3 )); then compadd -- \${=subcommands} --help; return; fi
    _vault_trader_words "$words[2] $words[3]"
  fi
  for each in \${=values}; do
    if [[ "--\${each%%=*}" == "$previous" ]]; then
      compadd -- \${(s:,:)\${each#*=}}
      return
    fi
  done
  compadd -- \${=options}
}
compdef _vault_trader vault-trader
`

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

const fishOption = (condition: string, { description, name, takesValue, values }: CompletedOption): string => {
  const source = name === "profile" ? `(${profileNames})` : values.join(" ")
  const value = name.endsWith("-file") ? " -r -F" : source !== "" ? ` -x -a ${quoted(source)}` : takesValue ? " -x" : ""
  return `complete -c vault-trader -n ${quoted(condition)} -l ${name}${value}${
    description === "" ? "" : ` -d ${quoted(description)}`
  }`
}

const fishCommand = (condition: string, { names, summary }: CompletedCommand): ReadonlyArray<string> =>
  offered([{ names, summary, options: [], subcommands: [] }]).map((name) =>
    `complete -c vault-trader -n ${quoted(condition)} -a ${name} -d ${quoted(summary)}`
  )

const fish = (commands: ReadonlyArray<CompletedCommand>): string => {
  const lines = commands.flatMap((command) => {
    const seen = `__fish_seen_subcommand_from ${command.names.join(" ")}`
    const open = command.subcommands.flatMap(({ names }) => names).join(" ")
    return [
      ...fishCommand("__fish_use_subcommand", command),
      ...command.options.map((option) => fishOption(seen, option)),
      ...command.subcommands.flatMap((each) => [
        ...fishCommand(`${seen}; and not __fish_seen_subcommand_from ${open}`, each),
        ...each.options.map((option) =>
          fishOption(`${seen}; and __fish_seen_subcommand_from ${each.names.join(" ")}`, option)
        )
      ])
    ]
  })
  const profiles = "__fish_seen_subcommand_from profile; and __fish_seen_subcommand_from use show remove"
  return [
    "# Completion of vault-trader for fish: vault-trader completion fish | source",
    "complete -c vault-trader -f",
    ...lines,
    `complete -c vault-trader -n ${quoted(profiles)} -a ${quoted(`(${profileNames})`)}`,
    ""
  ].join("\n")
}

const scripts: Readonly<Record<Shell, (commands: ReadonlyArray<CompletedCommand>) => string>> = { bash, zsh, fish }

/** Returns the script of a shell. */
export const scriptOf = (shell: Shell, commands: ReadonlyArray<CompletedCommand>): string => scripts[shell](commands)
