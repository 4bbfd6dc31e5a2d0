# Completion of dray for PowerShell. Made by `npm run generate`; do not edit.

Register-ArgumentCompleter -Native -CommandName 'dray' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # By the words so far: the words that may follow, as name|description.
    $next = @{
        '' = @(
            'account|Your membership'
            'carrier|Parcels: coverage, rates, manifests, tracking'
            'sandbox|The simulated world: clock, accounts, events'
            'profile|Named settings: which service, which account'
            'login|Log in to a service, or as an account of the sandbox'
            'logout|Remove the token, or the account, from the profile'
            'whoami|Who commands act as, and where'
            'serve|The HTTP service over the embedded store'
            'api|Any operation, by its own name'
            'completion|Print the completion script of a shell'
            'help|Help about a command or a topic'
            'openapi|The OpenAPI 3.1 document of the service'
        )
        'account' = @(
            'membership|Tell whether you hold an active membership'
        )
        'carrier' = @(
            'coverage|Tell whether parcels go to a postcode or a point'
            'rates|Price one parcel to one address at every service level'
            'hubs|List the hubs from which your parcels are collected'
            'create|Send one parcel'
            'upload|Create the parcels of a manifest: CSV, or an export of a shop'
            'template|Write an empty manifest, and an example beside it'
            'list|List your parcels, newest first'
            'show|Show one parcel: its state, its scans, its proof of delivery'
            'events|List everything that happened to a parcel, oldest first'
            'track|Follow a parcel: one line for each scan, as they happen'
            'cancel|Cancel a parcel'
        )
        'sandbox' = @(
            'status|What the sandbox holds, what time it is there, what comes next'
            'clock|The clock of the sandbox: see it, stop it, move it on'
            'account|The accounts of the sandbox: who there is, and what each may do'
            'scan|Scan a parcel by hand, as a hub or a courier would'
            'step|Make the next thing happen to one parcel or membership, now'
            'events|Everything that happened, oldest first'
            'reset|Forget everything and start with a new world'
        )
        'sandbox clock' = @(
            'show|What time it is in the sandbox, and how its clock runs'
            'set|Set the clock to a later time, or change how it runs'
            'freeze|Stop the clock: time passes only when it is advanced'
            'advance|Let time pass, and everything happen that is due in it'
            'run|Let the clock run again from where it stands'
        )
        'sandbox account' = @(
            'list|Who there is, and what each may do'
            'add|Add an account'
            'membership|Start, pay, cancel or end the membership of an account'
            'token|Mint a token for calls over HTTP'
        )
        'profile' = @(
            'list|List the profiles and which one is in use'
            'add|Make a profile, or change one'
            'use|Use a profile from now on'
            'show|Show the settings in force, and where each came from'
            'bind|Use a profile in this folder and below'
            'remove|Remove a profile and its token'
        )
        'api' = @(
            'get_membership_status|Tell whether you hold an active membership'
            'check_coverage|Tell whether parcels go to a postcode or a point'
            'quote_rates|Price one parcel to one address at every service level'
            'create_shipment|Send one parcel'
            'create_shipments_batch|Send a manifest of up to 500 parcels'
            'get_shipment|Show one parcel: its state, its scans, its proof of delivery'
            'list_shipments|List your parcels, newest first'
            'cancel_shipment|Cancel a parcel'
            'list_shipment_events|List everything that happened to a parcel, oldest first'
            'list_hubs|List the hubs from which your parcels are collected'
        )
    }
    # By the words so far: its own flags, as name|values|description; * is any text, nothing is no value.
    $flags = @{
        '' = @(
            '--version||the version'
            '-V||the version'
        )
        'account membership' = @()
        'account' = @()
        'carrier coverage' = @(
            '--postal-code|*|Postcode'
            '--country|*|Country, two letters (ISO 3166-1)'
            '--latitude|*|Degrees north'
            '--longitude|*|Degrees east'
            '--service|same_day,next_day,two_day,economy|How fast'
            '--point|*|latitude,longitude in degrees, as 51.5014,-0.1406'
        )
        'carrier' = @()
        'carrier rates' = @(
            '--to-postal-code|*|Postcode'
            '--to-country|*|Country, two letters (ISO 3166-1)'
            '--to-city|*|Town or city'
            '--weight|*|Weight in grams'
            '--length|*|Length in millimetres'
            '--width|*|Width in millimetres'
            '--height|*|Height in millimetres'
            '--from-hub|*|Hub, by id or code'
            '--declared-value-amount|*|What it is insured for, in minor units'
            '--declared-value-currency|*|Its currency'
            '--service|same_day,next_day,two_day,economy|How fast'
            '--declared-value|*|declared value in major units, as 25.00'
        )
        'carrier hubs' = @(
            '--postal-code|*|Postcode'
            '--country|*|Country, two letters (ISO 3166-1)'
            '--active||Hubs that are open (true) or closed (false)'
        )
        'carrier create' = @(
            '--to-name|*|Name'
            '--to-phone|*|Telephone, as +442079460123'
            '--to-email|*|E-mail address'
            '--to-line1|*|Building and street'
            '--to-line2|*|Flat, floor or unit'
            '--to-city|*|Town or city'
            '--to-region|*|County or state'
            '--to-postal-code|*|Postcode'
            '--to-country|*|Country, two letters (ISO 3166-1)'
            '--to-latitude|*|Degrees north'
            '--to-longitude|*|Degrees east'
            '--instructions|*|What the courier should know at the door'
            '--to-company|*|Company'
            '--weight|*|Weight in grams'
            '--length|*|Length in millimetres'
            '--width|*|Width in millimetres'
            '--height|*|Height in millimetres'
            '--description|*|What is in it'
            '--declared-value|*|What it is insured for'
            '--contents|documents,merchandise,gift,return|Kind of contents'
            '--service|same_day,next_day,two_day,economy|How fast'
            '--hub|*|Hub that collects it, by id or code'
            '--from-name|*|Name'
            '--from-phone|*|Telephone, as +442079460123'
            '--from-email|*|E-mail address'
            '--from-line1|*|Building and street'
            '--from-line2|*|Flat, floor or unit'
            '--from-city|*|Town or city'
            '--from-region|*|County or state'
            '--from-postal-code|*|Postcode'
            '--from-country|*|Country, two letters (ISO 3166-1)'
            '--from-latitude|*|Degrees north'
            '--from-longitude|*|Degrees east'
            '--from-notes|*|What the courier should know at the door'
            '--from-company|*|Company'
            '--reference|*|Your own reference, unique among your parcels'
            '--signature||Hand over only against a signature'
            '--safe-place|*|Where it may be left'
            '--cash-on-delivery|*|What the courier collects'
            '--not-before|*|Earliest day of delivery'
        )
        'carrier upload' = @(
            '--map|*|which header is a column'
            '--default|*|value of a column that the file lacks, as weight_grams=500'
            '--service|same_day,next_day,two_day,economy|service level of parcels that name none'
            '--hub|*|hub of parcels that name none'
            '--split||send more than 500 parcels in batches of 500'
            '--results|*|where the results go'
            '--map-only||show which header is which column, and stop'
            '--save-map|*|keep the columns of this file for the next one like it'
            '--use-map|*|read the file with a saved map'
            '--weight-unit|g,kg,oz,lb|unit of weights that name none'
            '--length-unit|mm,cm,m,in|unit of sizes that name none'
            '--merge-lines||adjacent lines with the same reference are one parcel'
            '--strict||refuse columns that are not known'
            '--encoding|*|encoding of the file, when it is not recognised'
            '--delimiter|comma,semicolon,tab,pipe|delimiter of the file'
            '--manifest-reference|*|your own name for this manifest'
        )
        'carrier template' = @(
            '--example||print the example instead of the empty manifest'
        )
        'carrier list' = @(
            '--status|pre_transit,in_transit,out_for_delivery,delivery_attempted,available_for_pickup,delivered,returning,returned,lost,cancelled|In any of these states'
            '--service|same_day,next_day,two_day,economy|How fast'
            '--reference|*|Your own reference, unique among your parcels'
            '--batch|*|Made by one manifest'
            '--created-from|*|Created at or after'
            '--created-to|*|Created before'
            '--delivered-from|*|Delivered at or after'
            '--delivered-to|*|Delivered before'
        )
        'carrier show' = @()
        'carrier events' = @()
        'carrier track' = @()
        'carrier cancel' = @(
            '--reason|order_cancelled,address_wrong,duplicate,lost_stock,other|Why it is cancelled'
            '--note|*|In your own words'
        )
        'sandbox status' = @()
        'sandbox' = @()
        'sandbox clock show' = @()
        'sandbox clock' = @()
        'sandbox clock set' = @(
            '--mode|real,frozen,scaled,offset|how it runs from then on'
            '--factor|*|how many times as fast, with mode scaled'
        )
        'sandbox clock freeze' = @(
            '--at|*|at this later time instead of now'
        )
        'sandbox clock advance' = @(
            '--to|*|until this time instead, as "tomorrow 18:00"'
        )
        'sandbox clock run' = @(
            '--factor|*|so many times as fast as real time'
        )
        'sandbox account list' = @()
        'sandbox account' = @()
        'sandbox account add' = @(
            '--name|*|name of the person or the company'
            '--scope|*|what it may do'
            '--membership|none,active,trialing|the membership it starts with'
            '--carrier||with a carrier agreement'
            '--business||with a business agreement'
        )
        'sandbox account membership' = @(
            '--plan|one_monthly,one_yearly|its plan'
            '--renewal|paid,fails|how the next renewal goes'
        )
        'sandbox account token' = @(
            '--scope|*|fewer scopes than the account has'
            '--expires-in|*|its life by the clock of the sandbox'
        )
        'sandbox scan' = @(
            '--hub|*|hub where it is scanned, by id or code'
            '--reason|recipient_unavailable,business_closed,refused,address_incorrect,address_not_found,access_denied,damaged,missorted,weather,vehicle_breakdown,future_delivery_requested,cod_not_available,customs_hold,id_check_failed,unsafe_location,holiday_closure,other|why, where something went wrong'
            '--detail|*|why, in words'
        )
        'sandbox step' = @()
        'sandbox events' = @()
        'sandbox reset' = @(
            '--seed|*|another seed'
            '--at|*|freeze the new clock there'
        )
        'profile list' = @()
        'profile' = @()
        'profile add' = @(
            '--base-url|*|address of a service'
            '--store|*|an embedded store: a file or postgres://...'
            '--account|*|sandbox account to act as'
            '--pay|card,wallet,cash,table|how to pay'
            '--default-output|table,json,ndjson,csv,yaml|form of results'
            '--default-parcel|*|for manifests without such a column, e.g'
            '--protected||ask for --confirm NAME before anything changes'
            '--update||change a profile that exists'
            '--use||and use it from now on'
        )
        'profile use' = @()
        'profile show' = @(
            '--explain||every setting with its value and its source'
        )
        'profile bind' = @()
        'profile remove' = @()
        'login' = @(
            '--token-stdin||read the token from standard input'
            '--token-file|*|read the token from a file'
            '--sandbox||log in to the sandbox, embedded or served on this machine'
            '--account|*|account of the sandbox'
        )
        'logout' = @()
        'whoami' = @()
        'serve' = @(
            '--host|*|address to listen on'
            '--port|*|port to listen on'
            '--allowed-host|*|name that a proxy in front passes on as Host'
            '--sandbox-control||serve the control plane to other machines too'
            '--log|*|append the log to FILE'
        )
        'api' = @(
            '--list||list the operations'
            '--input|*|the whole input as a JSON object'
        )
        'completion' = @()
        'help' = @()
        'openapi' = @()
        'api get_membership_status' = @(
            '--input|*|the whole input as a JSON object'
        )
        'api check_coverage' = @(
            '--postal-code|*|Postcode'
            '--country|*|Country, two letters (ISO 3166-1)'
            '--latitude|*|Degrees north'
            '--longitude|*|Degrees east'
            '--service|same_day,next_day,two_day,economy|How fast'
            '--point|*|latitude,longitude in degrees, as 51.5014,-0.1406'
            '--input|*|the whole input as a JSON object'
        )
        'api quote_rates' = @(
            '--to-postal-code|*|Postcode'
            '--to-country|*|Country, two letters (ISO 3166-1)'
            '--to-city|*|Town or city'
            '--weight|*|Weight in grams'
            '--length|*|Length in millimetres'
            '--width|*|Width in millimetres'
            '--height|*|Height in millimetres'
            '--from-hub|*|Hub, by id or code'
            '--declared-value-amount|*|What it is insured for, in minor units'
            '--declared-value-currency|*|Its currency'
            '--service|same_day,next_day,two_day,economy|How fast'
            '--declared-value|*|declared value in major units, as 25.00'
            '--input|*|the whole input as a JSON object'
        )
        'api create_shipment' = @(
            '--to-name|*|Name'
            '--to-phone|*|Telephone, as +442079460123'
            '--to-email|*|E-mail address'
            '--to-line1|*|Building and street'
            '--to-line2|*|Flat, floor or unit'
            '--to-city|*|Town or city'
            '--to-region|*|County or state'
            '--to-postal-code|*|Postcode'
            '--to-country|*|Country, two letters (ISO 3166-1)'
            '--to-latitude|*|Degrees north'
            '--to-longitude|*|Degrees east'
            '--instructions|*|What the courier should know at the door'
            '--to-company|*|Company'
            '--weight|*|Weight in grams'
            '--length|*|Length in millimetres'
            '--width|*|Width in millimetres'
            '--height|*|Height in millimetres'
            '--description|*|What is in it'
            '--declared-value|*|What it is insured for'
            '--contents|documents,merchandise,gift,return|Kind of contents'
            '--service|same_day,next_day,two_day,economy|How fast'
            '--hub|*|Hub that collects it, by id or code'
            '--from-name|*|Name'
            '--from-phone|*|Telephone, as +442079460123'
            '--from-email|*|E-mail address'
            '--from-line1|*|Building and street'
            '--from-line2|*|Flat, floor or unit'
            '--from-city|*|Town or city'
            '--from-region|*|County or state'
            '--from-postal-code|*|Postcode'
            '--from-country|*|Country, two letters (ISO 3166-1)'
            '--from-latitude|*|Degrees north'
            '--from-longitude|*|Degrees east'
            '--from-notes|*|What the courier should know at the door'
            '--from-company|*|Company'
            '--reference|*|Your own reference, unique among your parcels'
            '--signature||Hand over only against a signature'
            '--safe-place|*|Where it may be left'
            '--cash-on-delivery|*|What the courier collects'
            '--not-before|*|Earliest day of delivery'
            '--input|*|the whole input as a JSON object'
        )
        'api create_shipments_batch' = @(
            '--shipments|*|The parcels'
            '--manifest-reference|*|Your own name for the manifest'
            '--default-service-level|same_day,next_day,two_day,economy|How fast'
            '--default-hub-id|*|Hub of rows that name none, by id or code'
            '--input|*|the whole input as a JSON object'
        )
        'api get_shipment' = @(
            '--tracking-number|*|Tracking number, spaces and small letters allowed'
            '--input|*|the whole input as a JSON object'
        )
        'api list_shipments' = @(
            '--status|pre_transit,in_transit,out_for_delivery,delivery_attempted,available_for_pickup,delivered,returning,returned,lost,cancelled|In any of these states'
            '--service|same_day,next_day,two_day,economy|How fast'
            '--reference|*|Your own reference, unique among your parcels'
            '--batch|*|Made by one manifest'
            '--created-from|*|Created at or after'
            '--created-to|*|Created before'
            '--delivered-from|*|Delivered at or after'
            '--delivered-to|*|Delivered before'
            '--input|*|the whole input as a JSON object'
        )
        'api cancel_shipment' = @(
            '--tracking-number|*|Tracking number, spaces and small letters allowed'
            '--reason|order_cancelled,address_wrong,duplicate,lost_stock,other|Why it is cancelled'
            '--note|*|In your own words'
            '--input|*|the whole input as a JSON object'
        )
        'api list_shipment_events' = @(
            '--tracking-number|*|Tracking number, spaces and small letters allowed'
            '--input|*|the whole input as a JSON object'
        )
        'api list_hubs' = @(
            '--postal-code|*|Postcode'
            '--country|*|Country, two letters (ISO 3166-1)'
            '--active||Hubs that are open (true) or closed (false)'
            '--input|*|the whole input as a JSON object'
        )
    }
    # By the words so far: what its argument may be.
    $places = @{
        'completion' = @(
            'bash'
            'zsh'
            'fish'
            'powershell'
        )
        'help' = @(
            'exit-codes'
            'environment'
            'flags'
            'formatting'
            'profiles'
            'sandbox'
        )
    }
    $shared = @(
        '--json||one JSON document on stdout'
        '--output|table,json,ndjson,csv,yaml|form of the result'
        '--fields|*|only these fields'
        '--query|*|reshape the result'
        '--profile|*|use this profile'
        '--base-url|*|talk to a service instead of the embedded sandbox'
        '--store|*|embedded store: a file or postgres://...'
        '--as|*|sandbox account for this command'
        '--scenario|*|sandbox scenario of what is created'
        '--limit|*|rows of a page, 1 to 100'
        '--cursor|*|continue a list after a page'
        '--all||every page of a list'
        '--yes||answer the confirmation with yes'
        '-y||answer the confirmation with yes'
        '--confirm|*|confirm a protected profile or a destructive command by name'
        '--no-input||ask nothing'
        '--dry-run||check and price'
        '--idempotency-key|*|key of this call'
        '--timeout|*|give up after this long'
        '--wait||wait until it has ended'
        '--quiet||no notices on stderr'
        '-q||no notices on stderr'
        '--verbose||say more on stderr'
        '-v||say more on stderr'
        '--debug||show calls, times and request ids on stderr'
        '--color|auto,always,never|colour'
        '--accessible||plain questions, no redraw, no glyphs'
        '--help||what it does and takes'
        '-h||what it does and takes'
    )

    $valuesOf = {
        param($flag)
        foreach ($line in @($flags[$at]) + $shared) {
            $name, $values, $text = $line -split '\|', 3
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
        foreach ($value in "$(& $valuesOf $flag)" -split ',') {
            if ($value -and $value -ne '*') { & $offer "$before$value" $value }
        }
    }
    elseif ($wordToComplete -like '-*' -and -not $ended) {
        foreach ($line in @($flags[$at]) + $shared) {
            $name, $values, $text = $line -split '\|', 3
            & $offer $name $text
        }
    }
    elseif ($count -eq 0) {
        foreach ($line in @($next[$at]) + @($places[$at])) {
            $name, $text = $line -split '\|', 2
            if ($name) { & $offer $name $text }
        }
    }
}
