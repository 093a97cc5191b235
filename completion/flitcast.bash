# Completion of flitcast for bash: commands, options from each command's help, keys after --set and
# --vary, model names after --model, topologies after network.topology= and keys, papers after paper.
_flitcast_topologies() {
    "$1" keys --format csv 2>/dev/null | awk -F, 'NR > 1 && $1 != "all" {print $1}' | tr ' ' '\n' | sort -u
}

_flitcast() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        local commands
        commands=$("$program" --help 2>/dev/null | awk '/^  [a-z]+ / && $1 != "flitcast" {print $1}')
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
        return
    fi
    # bash splits words at '=': the value of network.topology, and topologies of 'keys'
    if [[ $COMP_LINE == *network.topology=* && $previous == = || $COMP_LINE == *network.topology= && $current == = ]]; then
        [[ $current == = ]] && current=
        mapfile -t COMPREPLY < <(compgen -W "$(_flitcast_topologies "$program")" -- "$current")
        return
    fi
    if [[ $command == keys && $current != -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "all $(_flitcast_topologies "$program")" -- "$current")
        return
    fi
    case $previous in
    --set | --vary | --let)
        mapfile -t COMPREPLY < <(compgen -S = -W "$("$program" keys --format csv 2>/dev/null |
            awk -F, '$2 ~ /^[a-z]+(\.|$)/ {print $2}' | sort -u)" -- "$current")
        compopt -o nospace
        return
        ;;
    --model)
        mapfile -t COMPREPLY < <(compgen -W "$("$program" models --format csv 2>/dev/null |
            awk -F, '$2 == "model" {print $1}')" -- "$current")
        return
        ;;
    --format)
        mapfile -t COMPREPLY < <(compgen -W "text json csv booksim" -- "$current")
        return
        ;;
    esac
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" "$command" --help 2>/dev/null |
            grep -o -e '--[a-z-]*' | sort -u)" -- "$current")
    elif [[ $command == paper ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" paper --format csv 2>/dev/null |
            awk -F, '$1 ~ /\// {print $1; sub("/.*", "", $1); print $1}' | sort -u)" -- "$current")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -o filenames -F _flitcast flitcast
