# dray for fish. Made by `make generate`; edit Sources/DrayCommands/Reference/CompletionScript.swift instead.

function __dray_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    set -e words[1]
    set -l prefix ''
    for line in ($program ---complete $words "$current" 2>/dev/null)
        switch $line
            case ':prefix *'
                set prefix (string replace ':prefix ' '' -- $line)
            case ':files*'
                for file in (__fish_complete_path (string replace -- "$prefix" '' "$current"))
                    echo -- $prefix$file
                end
            case ':directories'
                for file in (__fish_complete_directories (string replace -- "$prefix" '' "$current") '')
                    echo -- $prefix$file
                end
            case ':*'
            case '*'
                echo -- $prefix$line
        end
    end
end

complete -c dray -f -k -a '(__dray_complete)'
