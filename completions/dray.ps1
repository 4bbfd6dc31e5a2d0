# Completion of dray for Windows PowerShell 5.1 and PowerShell 7: the program says what may stand at the cursor.

Register-ArgumentCompleter -Native -CommandName 'dray' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
    # Where nothing is offered, PowerShell names files.
    foreach ($line in @(& dray __complete @words "=$wordToComplete" 2>$null)) {
        $value, $text = $line -split "`t", 2
        if (-not $text) { $text = $value }
        if ($value -ne ':files') {
            [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $text)
        }
    }
}
