# Completion of sintra for fish: commands, options, and the legal steps of the log on the line.
function __sintra_complete
    env _SINTRA_COMPLETE=complete_fish _TYPER_COMPLETE_FISH_ACTION=$argv[1] \
        _TYPER_COMPLETE_ARGS=(commandline -cp) sintra
end

complete --command sintra --no-files --condition "__sintra_complete is-args" --arguments "(__sintra_complete get-args)"
