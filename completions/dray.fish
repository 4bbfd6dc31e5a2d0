# Completion of dray for fish: the program says what may stand at the cursor, and fish names files.

# Keeps what may stand at the cursor; fails where it is a file.
function __dray_offers
    set -g __dray_offered (command dray __complete (commandline -opc)[2..-1] "="(commandline -ct) 2>/dev/null)
    test "$__dray_offered" != :files
end

complete -c dray -n __dray_offers -f -a '(printf "%s\n" $__dray_offered)'
complete -c dray -n 'test "$__dray_offered" = :files' -F
