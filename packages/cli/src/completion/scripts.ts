/** The supported shells, with the script for each and the way to install it. */
export const completionScripts = {
  bash: {
    install: 'azimuth completion bash > ~/.local/share/bash-completion/completions/azimuth',
    script: `# Completion of azimuth for bash. Made by: azimuth completion bash
_azimuth() {
  local line="\${COMP_LINE:0:COMP_POINT}" current="\${COMP_WORDS[COMP_CWORD]}" before value path
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  # Bash also splits words at these characters, and replaces only what is behind them.
  [[ $current =~ ^[=:@]+$ ]] && current=""
  before="\${words[\${#words[@]}-1]}"
  before="\${before%"$current"}"
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    case $value in
      :file | :folder)
        compopt -o filenames 2> /dev/null
        while read -r path; do COMPREPLY+=("$path"); done < <(
          if [[ $value == :file ]]; then compgen -f -- "$current"; else compgen -d -- "$current"; fi
        )
        ;;
      *) COMPREPLY+=("\${value#"$before"}") ;;
    esac
  done < <(azimuth complete "\${words[@]:1}" 2> /dev/null)
  if [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *[=.] ]]; then compopt -o nospace 2> /dev/null; fi
  return 0
}
complete -F _azimuth azimuth
`,
  },
  zsh: {
    install: `azimuth completion zsh > "\${fpath[1]}/_azimuth"`,
    script: `#compdef azimuth
# Completion of azimuth for zsh. Made by: azimuth completion zsh
_azimuth() {
  local value text
  local -a whole begun
  while IFS=$'\\t' read -r value text; do
    case $value in
      :file) _files ;;
      :folder) _files -/ ;;
      *[=.]) begun+=("$value") ;;
      *) whole+=("\${value//:/\\\\:}\${text:+:$text}") ;;
    esac
  done < <(azimuth complete "\${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2> /dev/null)
  (( $#whole )) && _describe -t words azimuth whole
  (( $#begun )) && compadd -S '' -a begun
  return 0
}
if [[ \${funcstack[1]} == _azimuth ]]; then _azimuth "$@"; else compdef _azimuth azimuth; fi
`,
  },
  fish: {
    install: 'azimuth completion fish > ~/.config/fish/completions/azimuth.fish',
    script: `# Completion of azimuth for fish. Made by: azimuth completion fish
function __azimuth_complete
    set -l current (commandline -ct)
    for line in (azimuth complete (commandline -opc)[2..] "$current" 2> /dev/null)
        switch $line
            case :file
                __fish_complete_path $current
            case :folder
                __fish_complete_directories $current
            case '*'
                echo $line
        end
    end
end
complete -c azimuth -f -a '(__azimuth_complete)'
`,
  },
} as const;

export type Shell = keyof typeof completionScripts;

export const shells: readonly Shell[] = ['bash', 'zsh', 'fish'];
