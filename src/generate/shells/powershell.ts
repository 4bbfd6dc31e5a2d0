import type { FlagNode, Node, Values } from './nodes.ts'
import { isKept } from './nodes.ts'

/** Returns the script for Windows PowerShell 5.1 and PowerShell 7. */
export function powershellScript(nodes: readonly Node[], globals: readonly FlagNode[]): string {
  const places = nodes.filter(
    ({ next, places: [place] }) =>
      next.length === 0 && (Array.isArray(place?.values) || isKept(place?.values)),
  )
  return `# Completion of dray for PowerShell. Made by \`npm run generate\`; do not edit.

Register-ArgumentCompleter -Native -CommandName 'dray' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # By the words so far: the words that may follow, as name|description.
    $next = @{
${nodes
  .filter(({ next }) => next.length > 0)
  .map(({ words, next }) =>
    entry(
      words,
      next.map(({ name, description }) => `${name}|${description}`),
    ),
  )
  .join('\n')}
    }
    # By the words so far: its own flags, as name|values|description; * is any text, @kind is what dray knows, nothing is no value.
    $flags = @{
${nodes.map(({ words, flags }) => entry(words, flags.flatMap(flagLines))).join('\n')}
    }
    # By the words so far: what its argument may be.
    $places = @{
${places.map(({ words, places: [place] }) => entry(words, linesOf(place?.values))).join('\n')}
    }
    $shared = @(
${globals
  .flatMap(flagLines)
  .map((line) => `        ${quote(line)}`)
  .join('\n')}
    )

    $valuesOf = {
        param($flag)
        foreach ($line in @($flags[$at]) + $shared) {
            $name, $values, $text = $line -split '\\|', 3
            if ($name -ceq $flag) { return $values }
        }
    }
    $offer = {
        param($name, $text)
        if ($name.StartsWith("$wordToComplete", [System.StringComparison]::Ordinal)) {
            if (-not $text) { $text = $name }
            [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $text)
        }
    }

    # What dray knows of a kind on this machine, as value|what it is called.
    $known = {
        param($kind)
        $line = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.Extent.Text })
        @(& dray __complete $kind.Substring(1) @line 2>$null) -replace "\`t", '|'
    }

    $at = ''
    $flag = ''
    $count = 0
    $ended = $false
    foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
        if ($element.Extent.EndOffset -ge $cursorPosition) { break }
        $word = $element.Extent.Text
        $longer = "$at $word".Trim()
        if ($flag) { $flag = '' }
        elseif ($ended) { $count++ }
        elseif ($word -eq '--') { $ended = $true }
        elseif ($word -like '-?*') { if (& $valuesOf $word) { $flag = $word } }
        elseif ($flags.ContainsKey($longer)) { $at = $longer }
        else { $count++ }
    }

    # Where nothing is offered, PowerShell names files.
    $before = ''
    if (-not $flag -and -not $ended -and $wordToComplete -like '-*=*') {
        $flag = ($wordToComplete -split '=', 2)[0]
        $before = "$flag="
    }
    if ($flag) {
        $values = "$(& $valuesOf $flag)"
        $lines = if ($values -like '@*') { & $known $values } else { $values -split ',' }
        foreach ($line in $lines) {
            $value, $text = "$line" -split '\\|', 2
            if (-not $text) { $text = $value }
            if ($value -and $value -ne '*') { & $offer "$before$value" $text }
        }
    }
    elseif ($wordToComplete -like '-*' -and -not $ended) {
        foreach ($line in @($flags[$at]) + $shared) {
            $name, $values, $text = $line -split '\\|', 3
            & $offer $name $text
        }
    }
    elseif ($count -eq 0) {
        $lines = @($places[$at])
        if ("$lines" -like '@*') { $lines = @(& $known "$lines") }
        foreach ($line in @($next[$at]) + $lines) {
            $name, $text = $line -split '\\|', 2
            if ($name) { & $offer $name $text }
        }
    }
}
`
}

function entry(words: string, lines: readonly string[]): string {
  if (lines.length === 0) return `        ${quote(words)} = @()`
  return `        ${quote(words)} = @(\n${lines.map((line) => `            ${quote(line)}`).join('\n')}\n        )`
}

function flagLines({ names, description, values }: FlagNode): string[] {
  return names.map((name) => `${name}|${valuesOf(values)}|${description}`)
}

function valuesOf(values: Values | undefined): string {
  if (values === undefined) return ''
  if (isKept(values)) return values
  return typeof values === 'string' ? '*' : values.join(',')
}

function linesOf(values: Values | undefined): readonly string[] {
  if (isKept(values)) return [values]
  return typeof values === 'string' ? [] : (values ?? [])
}

/** Quotes text in ASCII, because Windows PowerShell reads files in a code page of its own. */
function quote(text: string): string {
  const ascii = text
    .replaceAll('…', '...')
    .replaceAll('×', 'x')
    .replaceAll(/[^ -~]/g, '?')
  return `'${ascii.replaceAll("'", "''")}'`
}
