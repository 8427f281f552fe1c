/** Completion scripts: they pass the words up to the cursor to the program and read one candidate per line, with a description after a tab. */
export const completionScripts: Readonly<Record<string, string>> = {
  bash: `# portreeve completion for bash; load it with: source <(portreeve completion bash)
_portreeve() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(portreeve __complete bash "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then
    compopt -o nospace
  fi
}
complete -o default -F _portreeve portreeve
`,
  zsh: `#compdef portreeve
# portreeve completion for zsh; put it into a folder of $fpath as _portreeve
_portreeve() {
  local -a described open
  local line value
  while IFS= read -r line; do
    value=\${line%%$'\\t'*}
    if [[ $value == *= ]]; then
      open+=("$value")
    else
      described+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done < <(portreeve __complete zsh "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#open} )) && compadd -S '' -- "\${open[@]}"
  (( \${#described} )) && _describe 'portreeve' described
  (( \${#open} + \${#described} )) || _files
}
if [[ \${funcstack[1]} == _portreeve ]]; then
  _portreeve "$@"
else
  compdef _portreeve portreeve
fi
`,
  fish: `# portreeve completion for fish; put it into ~/.config/fish/completions/portreeve.fish
function __portreeve_complete
  set -l words (commandline -opc) (commandline -ct)
  portreeve __complete fish $words[2..-1] 2>/dev/null
end
complete -c portreeve -a '(__portreeve_complete)'
`,
};
