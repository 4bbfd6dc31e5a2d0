# Completion of dray for PowerShell. Made by `npm run generate`; do not edit.

Register-ArgumentCompleter -Native -CommandName 'dray' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # By the words so far: the words that may follow, as name|description.
    $next = @{
        '' = @(
            'account|Your membership'
            'food|Order food: search, menu, quote, order, track'
            'rides|Request a ride: options, quote, request, track'
            'delivery|Send a courier between two points'
            'carrier|Parcels: coverage, rates, manifests, tracking'
            'services|Book somebody who comes to you'
            'tasks|Have something done, with evidence'
            'business|A store?s orders and catalogue'
            'sandbox|The simulated world: clock, accounts, events'
            'scenario|Files of steps: calls, time that passes, what is expected'
            'profile|Named settings: which service, which account'
            'intents|Calls that were never answered: what became of them'
            'open|Open a page of the service in your browser'
            'start|Ninety guided seconds on a sandbox, until something is delivered'
            'status|Where commands go and as whom, the clock there, and what is on its way'
            'recent|What was created from here, and how it ended: orders, rides, parcels, tasks'
            'doctor|Look for what is wrong here, and say how to mend it'
            'approve|Let an agent buy what it asks for, once'
            'login|Log in to a service, or as an account of the sandbox'
            'logout|End the login of the profile: at the service, and here'
            'whoami|Who commands act as, and where'
            'serve|The HTTP service over the embedded store'
            'openapi|The OpenAPI 3.1 document of the service'
            'mcp|The MCP server: every operation as a tool, for agents'
            'skill|Print the skill file for agents: how to use dray well, on a page'
            'api|Any operation, by its own name'
            'completion|Print the completion script of a shell'
            'help|Help about a command or a topic'
            'share|Share a page of an order, ride, delivery, parcel, booking or task'
        )
        'account' = @(
            'membership|Tell whether you hold an active membership'
        )
        'food' = @(
            'search|Find restaurants, groceries and shops that are open near a place'
            'menu|The menu of a store: prices, choices, allergens'
            'quote|What a basket costs, item by item'
            'order|Order food: choose, see the price, agree to it'
            'track|Follow an order until it is over'
            'list|List your orders, newest first'
            'show|Show one of your orders: its state, where it goes, its courier, its price'
            'cancel|Cancel an order that the store has not started'
        )
        'rides' = @(
            'options|Which rides begin at a point, and how soon'
            'quote|What a ride costs in every tier'
            'request|Request a ride: say where to, see the fares, agree to one'
            'track|Follow a ride until it is over'
            'list|List your rides, newest first'
            'show|Show one of your rides: its state, its driver, where the car is'
            'cancel|Cancel a ride that has not set off'
        )
        'delivery' = @(
            'quote|What a courier between two points costs'
            'request|Send a courier: say what and where, see the price, agree to it'
            'show|Show one of your deliveries: its state, its courier, its proof'
            'track|Follow a delivery until it is over'
        )
        'carrier' = @(
            'coverage|Tell whether parcels go to a postcode or a point'
            'rates|Price one parcel to one address at every service level'
            'hubs|List the hubs from which your parcels are collected'
            'create|Send one parcel'
            'upload|Create the parcels of a manifest: CSV, Excel, or an export of a shop'
            'template|Write an empty manifest, and an example beside it'
            'list|List your parcels, newest first'
            'show|Show one parcel: its state, its scans, its proof of delivery'
            'events|List everything that happened to a parcel, oldest first'
            'track|Follow a parcel, or sum up many: which are late, and why'
            'cancel|Cancel a parcel'
            'handover|Show what a driver collects today, and write the manifest to sign'
            'label|Print the labels of parcels: PDF, ZPL for label printers, or PNG'
            'report|Parcels sent and delivered, on time and late, beside the time before'
        )
        'services' = @(
            'providers|Find providers who come to a place, with when each is free next'
            'slots|When a provider can begin: a column for each day'
            'quote|What a service costs at your place'
            'book|Book somebody who comes to you: choose, see the price, agree to it'
            'show|Show one of your bookings: its state, its provider, its price'
            'track|Follow a booking until it is over'
        )
        'tasks' = @(
            'types|What people near a point can be sent to do, with its evidence'
            'quote|What a task costs, and that somebody can be found'
            'create|Have something done: say what, see the price, agree to it'
            'show|Show one of your tasks: its state, who is sent, its evidence so far'
            'evidence|What was brought back: pictures with their hashes, places, times, answers'
            'track|Follow a task until it is over'
            'cancel|Cancel a task that nobody has started'
        )
        'business orders' = @(
            'list|List your store?s orders, newest first'
            'show|Show an order: what it is, how it is paid, what happened so far'
            'accept|Accept orders that were placed'
            'reject|Reject orders'
            'prepare|Start preparing orders that are accepted'
            'ready|Say that orders are ready'
            'complete|Hand orders over: collected, or served at the table'
            'watch|A live board of the active orders, with keys to act on them'
        )
        'business' = @(
            'orders|The orders of a store: see them, accept, prepare, hand over'
            'catalog|What a store sells: see it, change it, take it off sale'
            'report|Sales of a day, a week or a month, beside the time before'
        )
        'business catalog' = @(
            'list|List the items of your store in the order of its menu'
            'create|Put an item on the menu of your store'
            'update|Change an item of your menu'
            'available|Put an item on sale or take it off'
            'delete|Delete an item of your menu'
            'import|Put the items of a menu on sale: CSV, Excel, JSON, or an export of a shop'
            'export|Write your whole menu to a file that import reads back'
            'history|The changes of an item: who, when, from what to what'
            'template|Write an empty menu, and an example beside it'
            'undo|Take the last change of an item back, or all since a version'
        )
        'sandbox' = @(
            'status|What the sandbox holds, what time it is there, what comes next'
            'clock|The clock of the sandbox: see it, stop it, move it on'
            'supply|How many drivers, couriers and taskers there are'
            'account|The accounts of the sandbox: who there is, and what each may do'
            'approve|Approve or deny the login of a device by its code, or print a link for a browser'
            'settle|Let the pending card payment of an order come in, now'
            'check|The check of a table: open it, let it be paid'
            'scan|Scan a parcel by hand, as a hub or a courier would'
            'step|Make the next thing happen to one parcel, order, ride or membership, now'
            'snapshot|The whole sandbox, kept and brought back'
            'backup|Copy the whole store to a file, while others go on writing'
            'restore|Put a backup in the place of everything in the store'
            'log|The calls that the service of this sandbox handled, newest last'
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
            'wallet|What a customer?s wallet holds, and what went in and out'
            'token|Mint a token for calls over HTTP'
            'client|Give an account a program with a secret of its own'
        )
        'sandbox check' = @(
            'open|Open a table check for an order, as the staff would'
            'settle|Let the guests of a table pay its check, which closes it'
        )
        'sandbox snapshot' = @(
            'save|Keep the whole sandbox as it is now: parcels, orders, clock, pictures'
            'load|Put a saved sandbox in the place of the one there is'
            'list|The snapshots that were saved under a name'
        )
        'scenario' = @(
            'run|Carry out scenario files and check what comes'
        )
        'profile' = @(
            'list|List the profiles and which one is in use'
            'add|Make a profile, or change one'
            'use|Use a profile from now on'
            'show|Show the settings in force, and where each came from'
            'bind|Use a profile in this folder and below'
            'remove|Remove a profile and its token'
        )
        'intents' = @(
            'list|Calls that were sent and never answered'
            'show|One call that was never answered, with what was sent'
            'resolve|Find out what became of a call that was never answered'
        )
        'mcp' = @(
            'install|Set an agent?s program up to use the tools'
        )
        'api' = @(
            'get_membership_status|Tell whether you hold an active membership'
            'search_restaurants|Find restaurants, groceries and shops that are open near a place'
            'get_restaurant_menu|The menu of a store, by section'
            'quote_food_order|Price a basket as checkout would'
            'place_food_order|Order what was quoted, and pay'
            'get_food_order|Show one of your orders: its state, its courier, its price'
            'list_food_orders|List your orders, newest first'
            'cancel_food_order|Cancel an order that the store has not started'
            'search_ride_options|Which rides begin at a point, and how soon'
            'quote_ride|Price a ride in every tier'
            'request_ride|Request a quoted ride, and pay'
            'get_ride|Show one of your rides: its state, its driver, where the car is'
            'list_rides|List your rides, newest first'
            'cancel_ride|Cancel a ride that has not set off'
            'quote_delivery|Price a courier run between two points'
            'request_delivery|Send a courier as quoted, and pay'
            'get_delivery|Show one of your deliveries: its state, its courier, its proof'
            'check_coverage|Tell whether parcels go to a postcode or a point'
            'quote_rates|Price one parcel to one address at every service level'
            'create_shipment|Send one parcel'
            'create_shipments_batch|Send a manifest of up to 500 parcels'
            'get_shipment|Show one parcel: its state, its scans, its proof of delivery'
            'list_shipments|List your parcels, newest first'
            'cancel_shipment|Cancel a parcel'
            'list_shipment_events|List everything that happened to a parcel, oldest first'
            'list_hubs|List the hubs from which your parcels are collected'
            'search_service_providers|Find providers who come to a place, with when each is free next'
            'get_provider_availability|Show the open starts of a provider for a job'
            'quote_service|Price a service at a place'
            'book_service|Book what was quoted, and pay'
            'get_service_booking|Show one of your bookings: its state, its provider, its price'
            'list_task_types|What people near a point can be sent to do, with its evidence'
            'quote_task|Price a task, and confirm that somebody can be found for it'
            'create_task|Have the quoted task done, and pay'
            'get_task|Show one of your tasks: its state, who is sent, its evidence so far'
            'get_task_evidence|What was brought back: pictures with hashes, places, times, answers'
            'cancel_task|Cancel a task that nobody has started'
            'list_business_orders|List your store?s orders, newest first'
            'get_business_order|Show one order of your store: its lines, its history, what can be done with it'
            'accept_business_order|Accept an order'
            'reject_business_order|Reject an order, and give the customer the money back'
            'start_business_order_prep|Say that an order is being prepared'
            'mark_business_order_ready|Say that an order can be collected'
            'complete_business_order|Say that the customer has an order'
            'list_catalog_items|List the items of your store in the order of its menu'
            'create_catalog_item|Put an item on the menu of your store'
            'update_catalog_item|Change an item of your menu'
            'set_catalog_item_availability|Put an item on sale or take it off'
            'delete_catalog_item|Delete an item of your menu'
            'import_catalog_items|Add up to 500 items to the menu of your store'
        )
        'completion' = @(
            'install|Load the completions in every new shell'
            'uninstall|Take the completions out of new shells'
            'bash|'
            'zsh|'
            'fish|'
            'powershell|'
        )
        'help' = @(
            'account|Your membership'
            'food|Order food: search, menu, quote, order, track'
            'rides|Request a ride: options, quote, request, track'
            'delivery|Send a courier between two points'
            'carrier|Parcels: coverage, rates, manifests, tracking'
            'services|Book somebody who comes to you'
            'tasks|Have something done, with evidence'
            'business|A store?s orders and catalogue'
            'sandbox|The simulated world: clock, accounts, events'
            'scenario|Files of steps: calls, time that passes, what is expected'
            'profile|Named settings: which service, which account'
            'intents|Calls that were never answered: what became of them'
            'open|Open a page of the service in your browser'
            'start|Ninety guided seconds on a sandbox, until something is delivered'
            'status|Where commands go and as whom, the clock there, and what is on its way'
            'recent|What was created from here, and how it ended: orders, rides, parcels, tasks'
            'doctor|Look for what is wrong here, and say how to mend it'
            'approve|Let an agent buy what it asks for, once'
            'login|Log in to a service, or as an account of the sandbox'
            'logout|End the login of the profile: at the service, and here'
            'whoami|Who commands act as, and where'
            'serve|The HTTP service over the embedded store'
            'openapi|The OpenAPI 3.1 document of the service'
            'mcp|The MCP server: every operation as a tool, for agents'
            'skill|Print the skill file for agents: how to use dray well, on a page'
            'api|Any operation, by its own name'
            'completion|Print the completion script of a shell'
            'help|Help about a command or a topic'
            'share|Share a page of an order, ride, delivery, parcel, booking or task'
            'agents|'
            'exit-codes|'
            'environment|'
            'flags|'
            'formatting|'
            'manifests|'
            'menus|'
            'profiles|'
            'sandbox|'
            'scenarios|'
        )
        'help account' = @(
            'membership|Tell whether you hold an active membership'
        )
        'help food' = @(
            'search|Find restaurants, groceries and shops that are open near a place'
            'menu|The menu of a store: prices, choices, allergens'
            'quote|What a basket costs, item by item'
            'order|Order food: choose, see the price, agree to it'
            'track|Follow an order until it is over'
            'list|List your orders, newest first'
            'show|Show one of your orders: its state, where it goes, its courier, its price'
            'cancel|Cancel an order that the store has not started'
        )
        'help rides' = @(
            'options|Which rides begin at a point, and how soon'
            'quote|What a ride costs in every tier'
            'request|Request a ride: say where to, see the fares, agree to one'
            'track|Follow a ride until it is over'
            'list|List your rides, newest first'
            'show|Show one of your rides: its state, its driver, where the car is'
            'cancel|Cancel a ride that has not set off'
        )
        'help delivery' = @(
            'quote|What a courier between two points costs'
            'request|Send a courier: say what and where, see the price, agree to it'
            'show|Show one of your deliveries: its state, its courier, its proof'
            'track|Follow a delivery until it is over'
        )
        'help carrier' = @(
            'coverage|Tell whether parcels go to a postcode or a point'
            'rates|Price one parcel to one address at every service level'
            'hubs|List the hubs from which your parcels are collected'
            'create|Send one parcel'
            'upload|Create the parcels of a manifest: CSV, Excel, or an export of a shop'
            'template|Write an empty manifest, and an example beside it'
            'list|List your parcels, newest first'
            'show|Show one parcel: its state, its scans, its proof of delivery'
            'events|List everything that happened to a parcel, oldest first'
            'track|Follow a parcel, or sum up many: which are late, and why'
            'cancel|Cancel a parcel'
            'handover|Show what a driver collects today, and write the manifest to sign'
            'label|Print the labels of parcels: PDF, ZPL for label printers, or PNG'
            'report|Parcels sent and delivered, on time and late, beside the time before'
        )
        'help services' = @(
            'providers|Find providers who come to a place, with when each is free next'
            'slots|When a provider can begin: a column for each day'
            'quote|What a service costs at your place'
            'book|Book somebody who comes to you: choose, see the price, agree to it'
            'show|Show one of your bookings: its state, its provider, its price'
            'track|Follow a booking until it is over'
        )
        'help tasks' = @(
            'types|What people near a point can be sent to do, with its evidence'
            'quote|What a task costs, and that somebody can be found'
            'create|Have something done: say what, see the price, agree to it'
            'show|Show one of your tasks: its state, who is sent, its evidence so far'
            'evidence|What was brought back: pictures with their hashes, places, times, answers'
            'track|Follow a task until it is over'
            'cancel|Cancel a task that nobody has started'
        )
        'help business orders' = @(
            'list|List your store?s orders, newest first'
            'show|Show an order: what it is, how it is paid, what happened so far'
            'accept|Accept orders that were placed'
            'reject|Reject orders'
            'prepare|Start preparing orders that are accepted'
            'ready|Say that orders are ready'
            'complete|Hand orders over: collected, or served at the table'
            'watch|A live board of the active orders, with keys to act on them'
        )
        'help business' = @(
            'orders|The orders of a store: see them, accept, prepare, hand over'
            'catalog|What a store sells: see it, change it, take it off sale'
            'report|Sales of a day, a week or a month, beside the time before'
        )
        'help business catalog' = @(
            'list|List the items of your store in the order of its menu'
            'create|Put an item on the menu of your store'
            'update|Change an item of your menu'
            'available|Put an item on sale or take it off'
            'delete|Delete an item of your menu'
            'import|Put the items of a menu on sale: CSV, Excel, JSON, or an export of a shop'
            'export|Write your whole menu to a file that import reads back'
            'history|The changes of an item: who, when, from what to what'
            'template|Write an empty menu, and an example beside it'
            'undo|Take the last change of an item back, or all since a version'
        )
        'help sandbox' = @(
            'status|What the sandbox holds, what time it is there, what comes next'
            'clock|The clock of the sandbox: see it, stop it, move it on'
            'supply|How many drivers, couriers and taskers there are'
            'account|The accounts of the sandbox: who there is, and what each may do'
            'approve|Approve or deny the login of a device by its code, or print a link for a browser'
            'settle|Let the pending card payment of an order come in, now'
            'check|The check of a table: open it, let it be paid'
            'scan|Scan a parcel by hand, as a hub or a courier would'
            'step|Make the next thing happen to one parcel, order, ride or membership, now'
            'snapshot|The whole sandbox, kept and brought back'
            'backup|Copy the whole store to a file, while others go on writing'
            'restore|Put a backup in the place of everything in the store'
            'log|The calls that the service of this sandbox handled, newest last'
            'events|Everything that happened, oldest first'
            'reset|Forget everything and start with a new world'
        )
        'help sandbox clock' = @(
            'show|What time it is in the sandbox, and how its clock runs'
            'set|Set the clock to a later time, or change how it runs'
            'freeze|Stop the clock: time passes only when it is advanced'
            'advance|Let time pass, and everything happen that is due in it'
            'run|Let the clock run again from where it stands'
        )
        'help sandbox account' = @(
            'list|Who there is, and what each may do'
            'add|Add an account'
            'membership|Start, pay, cancel or end the membership of an account'
            'wallet|What a customer?s wallet holds, and what went in and out'
            'token|Mint a token for calls over HTTP'
            'client|Give an account a program with a secret of its own'
        )
        'help sandbox check' = @(
            'open|Open a table check for an order, as the staff would'
            'settle|Let the guests of a table pay its check, which closes it'
        )
        'help sandbox snapshot' = @(
            'save|Keep the whole sandbox as it is now: parcels, orders, clock, pictures'
            'load|Put a saved sandbox in the place of the one there is'
            'list|The snapshots that were saved under a name'
        )
        'help scenario' = @(
            'run|Carry out scenario files and check what comes'
        )
        'help profile' = @(
            'list|List the profiles and which one is in use'
            'add|Make a profile, or change one'
            'use|Use a profile from now on'
            'show|Show the settings in force, and where each came from'
            'bind|Use a profile in this folder and below'
            'remove|Remove a profile and its token'
        )
        'help intents' = @(
            'list|Calls that were sent and never answered'
            'show|One call that was never answered, with what was sent'
            'resolve|Find out what became of a call that was never answered'
        )
        'help mcp' = @(
            'install|Set an agent?s program up to use the tools'
        )
        'help completion' = @(
            'install|Load the completions in every new shell'
            'uninstall|Take the completions out of new shells'
        )
    }
    # By the words so far: its own flags, as name|values|description; * is any text, @kind is what dray knows, nothing is no value.
    $flags = @{
        '' = @(
            '--version||the version'
            '-V||the version'
        )
        'account membership' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'account' = @()
        'food search' = @(
            '--latitude|*|Degrees north'
            '--longitude|*|Degrees east'
            '--radius|*|Radius in metres, as the crow flies'
            '--kind|restaurant,grocery,shop|Only of this kind'
            '--cuisine|*|Only with this cuisine, such as thai'
            '--fulfillment|delivery,pickup,dine_in|Only those that offer this here'
            '--include-closed||Also those that are closed now, to order for later'
            '--sort|distance,rating,eta|Sort order'
            '--near|@place|latitude,longitude in degrees, as 51.5014,-0.1406, a postcode, an address, or a place, as kings-cross'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'food' = @()
        'food menu' = @(
            '--category|*|one section only'
            '--available-only||only what can be had now'
            '--near|@place|place around which a store is looked for by name: an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'food quote' = @(
            '--item|@item_id|an item by name or id, with its number and choices: "Pad Thai x2 + Chicken + Hot # no peanuts"'
            '--basket|*|the whole basket as JSON, as quote_food_order takes it'
            '--fulfillment|delivery,pickup,dine_in|fulfilment type'
            '--to|@place|delivery address: an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'
            '--table|*|your table, to dine in'
            '--party|*|party size, to dine in'
            '--for|*|wanted time: 19:30, "tomorrow 12:00"'
            '--tip|*|tip of the courier'
            '--near|@place|place around which a store is looked for by name: an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'food order' = @(
            '--item|@item_id|an item by name or id, with its number and choices: "Pad Thai x2 + Chicken + Hot # no peanuts"'
            '--basket|*|the whole basket as JSON, as quote_food_order takes it'
            '--fulfillment|delivery,pickup,dine_in|fulfilment type'
            '--to|@place|delivery address: an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'
            '--table|*|your table, to dine in'
            '--party|*|party size, to dine in'
            '--for|*|wanted time: 19:30, "tomorrow 12:00"'
            '--tip|*|tip of the courier'
            '--near|@place|place around which a store is looked for by name: an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'
            '--quote-id|*|a quote that still holds'
            '--max-total|*|pay no more than this'
            '--expected-total|*|the price that you have seen'
            '--pay|card,wallet,cash,table|payment method'
            '--payment-token|*|the card, as the card form gave it'
            '--name|*|recipient'
            '--phone|*|telephone of who receives it'
            '--notes|*|a note to the store'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--scenario|happy,store_auto,store_manual,store_rejects,payment_pending,no_courier,courier_cancels,courier_delay,undeliverable|sandbox scenario of what is created'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'food track' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'food list' = @(
            '--status|placed,accepted,preparing,ready,out_for_delivery,completed,rejected,cancelled,failed|In any of these states'
            '--merchant|@merchant_id|Store'
            '--created-from|*|Placed at or after'
            '--created-to|*|Placed before'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'food show' = @(
            '--save|*|write the pictures of the proofs and SHA256SUMS into this folder'
            '--force||overwrite a file that dray did not write'
            '--show|auto,kitty,iterm2,never|protocol of pictures in the terminal'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'food cancel' = @(
            '--reason|changed_mind,ordered_by_mistake,taking_too_long,wrong_address,other|Reason'
            '--note|*|In your own words'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'rides options' = @(
            '--latitude|*|Degrees north'
            '--longitude|*|Degrees east'
            '--passengers|*|Number of passengers'
            '--near|@place|latitude,longitude in degrees, as 51.5014,-0.1406, a postcode, an address, or a place, as kings-cross'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'rides' = @()
        'rides quote' = @(
            '--from|@place|pickup address: an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'
            '--to|@place|drop-off address'
            '--stop|@place|a stop on the way, 3 at most'
            '--passengers|*|number of passengers'
            '--for|*|pickup time, half an hour ahead or more: 19:30, "tomorrow 08:00", +2h'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--scenario|happy,surge|sandbox scenario of what is created'
        )
        'rides request' = @(
            '--from|@place|pickup address: an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'
            '--to|@place|drop-off address'
            '--stop|@place|a stop on the way, 3 at most'
            '--passengers|*|number of passengers'
            '--for|*|pickup time, half an hour ahead or more: 19:30, "tomorrow 08:00", +2h'
            '--tier|economy,comfort,xl,premium,accessible|kind of ride'
            '--name|*|passenger, if not you'
            '--phone|*|telephone of who rides'
            '--notes|*|a note to the driver'
            '--quote-id|*|a quote that still holds'
            '--max-total|*|pay no more than this'
            '--expected-total|*|the price that you have seen'
            '--pay|card,wallet,cash|payment method'
            '--payment-token|*|the card, as the card form gave it'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--scenario|happy,no_driver,driver_cancels,rider_no_show|sandbox scenario of what is created'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'rides track' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'rides list' = @(
            '--status|scheduled,processing,accepted,arriving,arrived,in_progress,completed,cancelled,no_drivers_available|In any of these states'
            '--created-from|*|Requested at or after'
            '--created-to|*|Requested before'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'rides show' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'rides cancel' = @(
            '--reason|changed_plans,long_wait,wrong_pickup,driver_request,other|Reason'
            '--note|*|In your own words'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'delivery quote' = @(
            '--from|@place|collection address: an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'
            '--to|@place|drop-off address, in the same words'
            '--what|*|contents'
            '--size|small,medium,large,xl|size'
            '--weight|*|weight'
            '--value|*|value'
            '--requires-id||whoever receives it shows an identity document'
            '--ready|*|earliest time of collection: 15:30, "tomorrow 09:00", +45m'
            '--vehicle|walker,bicycle,motorbike,car,van|vehicle of the courier'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'delivery' = @()
        'delivery request' = @(
            '--from|@place|collection address: an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'
            '--to|@place|drop-off address, in the same words'
            '--what|*|contents'
            '--size|small,medium,large,xl|size'
            '--weight|*|weight'
            '--value|*|value'
            '--requires-id||whoever receives it shows an identity document'
            '--ready|*|earliest time of collection: 15:30, "tomorrow 09:00", +45m'
            '--vehicle|walker,bicycle,motorbike,car,van|vehicle of the courier'
            '--from-name|*|sender'
            '--from-phone|*|telephone of who hands it over'
            '--from-notes|*|notes to the courier at the pickup'
            '--to-name|*|recipient'
            '--to-phone|*|telephone of who receives it'
            '--to-notes|*|notes to the courier at the door'
            '--proof|photo,signature,pincode|proof of delivery from the door'
            '--reference|*|your own word for it'
            '--quote-id|*|a quote that still holds'
            '--max-total|*|pay no more than this'
            '--expected-total|*|the price that you have seen'
            '--pay|card,wallet,cash|payment method'
            '--payment-token|*|the card, as the card form gave it'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--scenario|happy,no_courier,courier_cancels,courier_delay,undeliverable|sandbox scenario of what is created'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'delivery show' = @(
            '--save|*|write the pictures of the proofs and SHA256SUMS into this folder'
            '--force||overwrite a file that dray did not write'
            '--show|auto,kitty,iterm2,never|protocol of pictures in the terminal'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'delivery track' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'carrier coverage' = @(
            '--postal-code|*|Postcode'
            '--country|*|Country, as GB, GBR or United Kingdom'
            '--latitude|*|Degrees north'
            '--longitude|*|Degrees east'
            '--service|same_day,next_day,two_day,economy|Service level'
            '--point|@place|latitude,longitude in degrees, as 51.5014,-0.1406, a postcode, an address, or a place, as kings-cross'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'carrier' = @()
        'carrier rates' = @(
            '--to-postal-code|*|Postcode'
            '--to-country|*|Country, as GB, GBR or United Kingdom'
            '--to-city|*|Town or city'
            '--weight|*|Weight in grams'
            '--length|*|Length in millimetres'
            '--width|*|Width in millimetres'
            '--height|*|Height in millimetres'
            '--from-hub|@hub|Hub, by id or code'
            '--declared-value-amount|*|What it is insured for, in minor units'
            '--declared-value-currency|*|Its currency'
            '--service|same_day,next_day,two_day,economy|Service level'
            '--declared-value|*|declared value in major units, as 25.00'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'carrier hubs' = @(
            '--postal-code|*|Postcode'
            '--country|*|Country, as GB, GBR or United Kingdom'
            '--active||Hubs that are open (true) or closed (false)'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'carrier create' = @(
            '--to-name|*|Name'
            '--to-phone|*|Telephone, as +442079460123'
            '--to-email|*|E-mail address'
            '--to-line1|*|Building and street'
            '--to-line2|*|Flat or unit'
            '--to-city|*|Town or city'
            '--to-region|*|County or state'
            '--to-postal-code|*|Postcode'
            '--to-country|*|Country, as GB, GBR or United Kingdom'
            '--to-latitude|*|Degrees north'
            '--to-longitude|*|Degrees east'
            '--instructions|*|Notes to the courier'
            '--to-company|*|Company'
            '--weight|*|Weight in grams'
            '--length|*|Length in millimetres'
            '--width|*|Width in millimetres'
            '--height|*|Height in millimetres'
            '--description|*|Contents'
            '--declared-value|*|Insured value'
            '--contents|documents,merchandise,gift,return|Kind of contents'
            '--service|same_day,next_day,two_day,economy|Service level'
            '--hub|@hub|Hub that collects it, by id or code'
            '--from-name|*|Name'
            '--from-phone|*|Telephone, as +442079460123'
            '--from-email|*|E-mail address'
            '--from-line1|*|Building and street'
            '--from-line2|*|Flat or unit'
            '--from-city|*|Town or city'
            '--from-region|*|County or state'
            '--from-postal-code|*|Postcode'
            '--from-country|*|Country, as GB, GBR or United Kingdom'
            '--from-latitude|*|Degrees north'
            '--from-longitude|*|Degrees east'
            '--from-notes|*|Notes to the courier'
            '--from-company|*|Company'
            '--reference|*|Your own reference, unique among your parcels'
            '--signature||Hand over only against a signature'
            '--safe-place|*|Safe place to leave it'
            '--cash-on-delivery|*|Cash that the courier collects'
            '--not-before|*|Earliest day of delivery'
            '--max-total|*|pay no more than this'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--scenario|happy,attempt_fails,lost,damaged,delayed,returned|sandbox scenario of what is created'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'carrier upload' = @(
            '--default|*|value of a column that the file lacks, as weight_grams=500'
            '--service|same_day,next_day,two_day,economy|service level of parcels that name none'
            '--fallback-service|same_day,next_day,two_day,economy|service level of parcels that theirs does not reach'
            '--hub|@hub|hub of parcels that name none'
            '--reference-prefix|*|put before each reference, as GC- for the sheet of one customer'
            '--split||send more than 500 parcels in batches of 500'
            '--results|*|place of the results'
            '--labels|*|write the labels of all parcels there: .pdf or .zpl'
            '--force||overwrite a file that dray did not write'
            '--map|*|header of a column'
            '--map-value|*|meaning of a word of the file, as service_level:Y=next_day'
            '--map-only||show which header is which column, and stop'
            '--save-map|*|keep the columns of this file for the next one like it'
            '--use-map|@map|read the file with a saved map'
            '--weight-unit|g,kg,oz,lb|unit of weights that name none'
            '--length-unit|mm,cm,m,in|unit of sizes that name none'
            '--merge-lines||adjacent rows with the same reference are one parcel'
            '--include|*|send orders that are left out: cancelled, refunded, voided, unpaid, on_hold, draft, sent, no_shipping, collected, or all'
            '--strict||refuse columns that are not known'
            '--encoding|*|encoding of the file, such as macintosh or gbk, when it is not recognised'
            '--delimiter|comma,semicolon,tab,pipe|delimiter of the file'
            '--sheet|*|sheet of a workbook, when several could be meant'
            '--again-cancelled||create parcels again that were cancelled since the same upload'
            '--max-total|*|pay no more than this'
            '--manifest-reference|*|your own name for this manifest'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--scenario|happy,attempt_fails,lost,damaged,delayed,returned|sandbox scenario of what is created'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'carrier template' = @(
            '--example||print the example instead of the empty manifest'
            '--force||overwrite a file that dray did not write'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'carrier list' = @(
            '--status|pre_transit,in_transit,out_for_delivery,delivery_attempted,available_for_pickup,delivered,returning,returned,lost,cancelled|In any of these states'
            '--service|same_day,next_day,two_day,economy|Service level'
            '--reference|*|Your own reference, unique among your parcels'
            '--batch|@batch_id|Made by one manifest'
            '--created-from|*|Created at or after'
            '--created-to|*|Created before'
            '--delivered-from|*|Delivered at or after'
            '--delivered-to|*|Delivered before'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'carrier show' = @(
            '--save|*|write the pictures of the proofs and SHA256SUMS into this folder'
            '--force||overwrite a file that dray did not write'
            '--show|auto,kitty,iterm2,never|protocol of pictures in the terminal'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'carrier events' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'carrier track' = @(
            '--batch|@batch_id|the parcels that one manifest made'
            '--manifest|*|the parcels of a results file that `upload` wrote'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'carrier cancel' = @(
            '--reason|order_cancelled,address_wrong,duplicate,lost_stock,other|Reason for cancelling'
            '--note|*|In your own words'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'carrier handover' = @(
            '--hub|@hub|the hub, by its code or id'
            '--date|*|the day at the hub'
            '--format|pdf,csv|form of the file'
            '--out|*|output file'
            '--force||overwrite a file that dray did not write'
            '--print||hand it to the printer of this system, by lp'
            '--printer|*|the printer, where it is not the default one'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'carrier label' = @(
            '--format|pdf,zpl,png|form of the labels'
            '--size|4x6,a6,a4|paper: 4 x 6 inches, A6, or A4 with four labels'
            '--start|1,2,3,4|place of the first label on a sheet of A4, from the top left'
            '--dpi|203,300|dots per inch'
            '--batch|@batch_id|the parcels of one upload'
            '--manifest|*|the parcels of a results file, which `carrier upload` wrote'
            '--status|pre_transit,in_transit,out_for_delivery,delivery_attempted,available_for_pickup,delivered,returning,returned,lost,cancelled|parcels in any of these states'
            '--created-today||parcels made today, by the service?s clock'
            '--out|*|output file'
            '--force||overwrite a file that dray did not write'
            '--print||hand it to the printer of this system, by lp'
            '--printer|*|the printer, where it is not the default one'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'carrier report' = @(
            '--from|*|the first day, or a time: 2026-11-01'
            '--to|*|the last day, with it'
            '--timezone|*|time zone of days: Europe/London when left out'
            '--currency|*|only amounts in this currency, such as GBP'
            '--csv||rows for a spreadsheet, with amounts as 12.50'
            '--html|*|also write a page with charts'
            '--force||overwrite a file that dray did not write'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'services providers' = @(
            '--latitude|*|Degrees north'
            '--longitude|*|Degrees east'
            '--category|cleaning,plumbing,electrical,handyman,gardening,beauty,pet_care,tutoring|Kind of service'
            '--service|*|Service, such as deep_clean'
            '--date|*|Only who has an open start on this date, where they are'
            '--duration|*|Duration of the job in minutes'
            '--available-now||Only who can come as soon as anybody could'
            '--sort|distance,rating,price,soonest|Sort order'
            '--near|@place|latitude,longitude in degrees, as 51.5014,-0.1406, a postcode, an address, or a place, as kings-cross'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'services' = @()
        'services slots' = @(
            '--service|*|service, by its name or code: "Deep clean", deep_clean'
            '--duration|*|duration'
            '--date|*|first day: 2026-11-21, tomorrow'
            '--days|*|number of days, up to 14'
            '--near|@place|place around which a provider is looked for by name: an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'services quote' = @(
            '--service|*|service, by its name or code: "Deep clean", deep_clean'
            '--duration|*|duration, where it is sold by the hour'
            '--to|@place|address: an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'
            '--at|*|an open start, where the provider is: "tomorrow 09:00", 2026-11-21T09:00:00Z'
            '--notes|*|notes to the provider'
            '--near|@place|place around which a provider is looked for by name: an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'services book' = @(
            '--service|*|service, by its name or code: "Deep clean", deep_clean'
            '--duration|*|duration, where it is sold by the hour'
            '--to|@place|address: an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'
            '--at|*|an open start, where the provider is: "tomorrow 09:00", 2026-11-21T09:00:00Z'
            '--notes|*|notes to the provider'
            '--near|@place|place around which a provider is looked for by name: an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'
            '--window|*|without --at: when it may begin, by your clock: "tomorrow 09:00/tomorrow 13:00"'
            '--name|*|name of the person at the door'
            '--phone|*|telephone of who is at the door'
            '--access|*|notes on access'
            '--quote-id|*|a quote that still holds'
            '--max-total|*|pay no more than this'
            '--expected-total|*|the price that you have seen'
            '--pay|card,wallet|payment method'
            '--payment-token|*|the card, as the card form gave it'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--scenario|happy,provider_declines,provider_cancels,customer_no_show|sandbox scenario of what is created'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'services show' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'services track' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'tasks types' = @(
            '--latitude|*|Degrees north'
            '--longitude|*|Degrees east'
            '--category|verification,errand,retail_audit,inspection,queueing,pickup|Only of this kind'
            '--near|@place|latitude,longitude in degrees, as 51.5014,-0.1406, a postcode, an address, or a place, as kings-cross'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'tasks' = @()
        'tasks quote' = @(
            '--to|@place|address: an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'
            '--window|*|when it may be done, by your clock: "tomorrow 09:00/tomorrow 13:00", /18:00'
            '--express||send somebody sooner, for more'
            '--duration|*|duration, where you know it'
            '--require|*|details that the type asks for: store_name=Spar, products="Oat milk,Rye bread"'
            '--requirements|*|the same as a JSON object'
            '--rule|*|stricter evidence: "shelf_photos min_count=4 geofence_radius_m=50"'
            '--rules|*|stricter evidence as JSON, {"evidence_rules": [...]}'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'tasks create' = @(
            '--quote-id|*|a quote that still holds'
            '--max-total|*|pay no more than this'
            '--expected-total|*|the price that you have seen'
            '--to|@place|address: an address such as "12 Finsbury Square, London EC2A 1AN", a postcode, a point such as 51.5014,-0.1406, or a place such as kings-cross'
            '--window|*|when it may be done, by your clock: "tomorrow 09:00/tomorrow 13:00", /18:00'
            '--express||send somebody sooner, for more'
            '--duration|*|duration, where you know it'
            '--require|*|details that the type asks for: store_name=Spar, products="Oat milk,Rye bread"'
            '--requirements|*|the same as a JSON object'
            '--rule|*|stricter evidence: "shelf_photos min_count=4 geofence_radius_m=50"'
            '--rules|*|stricter evidence as JSON, {"evidence_rules": [...]}'
            '--instructions|*|in your own words, for whoever is sent'
            '--name|*|name of the person who can be asked'
            '--phone|*|telephone of who can be asked'
            '--pay|card,wallet|payment method'
            '--payment-token|*|the card, as the card form gave it'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--scenario|happy,no_provider,provider_cancels,bad_evidence,task_fails|sandbox scenario of what is created'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'tasks show' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'tasks evidence' = @(
            '--requirement|*|only what was captured for this requirement'
            '--kind|photo,checklist,signature,reading|only evidence of this kind'
            '--save|*|write the pictures and SHA256SUMS into this folder'
            '--force||overwrite a file that dray did not write'
            '--verify||compute every hash and the manifest again'
            '--show|auto,kitty,iterm2,never|protocol of pictures in the terminal'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'tasks track' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'tasks cancel' = @(
            '--reason|no_longer_needed,wrong_details,too_slow,other|Reason'
            '--note|*|In your own words'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'business orders list' = @(
            '--status|placed,accepted,preparing,ready,out_for_delivery,completed,rejected,cancelled,failed|In any of these states'
            '--fulfillment|delivery,pickup,dine_in|Got in any of these ways'
            '--active||Only those that are not over'
            '--payment|unpaid,paid,partially_refunded,refund_pending,refunded,failed|Payment status'
            '--created-from|*|Placed at or after'
            '--created-to|*|Placed before'
            '--merchant|@merchant_id|Store'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'business orders' = @()
        'business' = @()
        'business orders show' = @(
            '--merchant|@merchant_id|the store by name or id whose number this is, when you have several'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'business orders accept' = @(
            '--prep-time|*|minutes until it is ready, 1 to 180'
            '--note|*|your own note'
            '--merchant|@merchant_id|the store by name or id whose numbers these are, when you have several'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'business orders reject' = @(
            '--reason|item_unavailable,store_closed,too_busy,cannot_fulfil_note,price_error,other|reason'
            '--item|@item_id|an item of the order that it is about, by name or id'
            '--mark-unavailable||take those items off sale'
            '--note|*|a note'
            '--merchant|@merchant_id|the store by name or id whose numbers these are, when you have several'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'business orders prepare' = @(
            '--prep-time|*|minutes until it is ready, 1 to 180'
            '--note|*|your own note'
            '--merchant|@merchant_id|the store by name or id whose numbers these are, when you have several'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'business orders ready' = @(
            '--instructions|*|place and way of the collection'
            '--note|*|your own note'
            '--merchant|@merchant_id|the store by name or id whose numbers these are, when you have several'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'business orders complete' = @(
            '--collected-by|*|name of the person who took it'
            '--note|*|your own note'
            '--merchant|@merchant_id|the store by name or id whose numbers these are, when you have several'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'business orders watch' = @(
            '--merchant|@merchant_id|the store by name or id, when you have several'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'business catalog list' = @(
            '--category|*|Section, by name or id'
            '--available||Only those that can be had now, or only those that cannot'
            '--q|*|Part of the name'
            '--updated-since|*|Changed at or after'
            '--merchant|@merchant_id|Store'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'business catalog' = @()
        'business catalog create' = @(
            '--name|*|Name on the menu'
            '--description|*|Description'
            '--price|*|Price, in the currency of the store'
            '--category|*|Section of the menu: its name (made when new), its id, or as an item shows it'
            '--modifiers|*|Choices on the item'
            '--available||On sale'
            '--until|*|With available false: back on sale from then'
            '--reason|sold_out,seasonal,equipment,other|Reason for being off sale'
            '--dietary-tags|*|Dietary tags such as vegan, gluten_free'
            '--allergens|*|Allergens such as milk, peanuts'
            '--image|*|Picture'
            '--sku|*|Your stock-keeping unit'
            '--ref|*|Your own id of the item'
            '--barcode|*|GTIN of 8, 12, 13 or 14 digits'
            '--cost|*|Cost price'
            '--stock|*|Private'
            '--supplier|*|Supplier'
            '--tax-bps|*|Tax in hundredths of a per cent'
            '--sort|*|Place in its section'
            '--category-sort|*|Place of a section that is made for it'
            '--merchant|@merchant_id|Store'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
        )
        'business catalog update' = @(
            '--name|*|Name on the menu'
            '--description|*|Description'
            '--price|*|Price, in the currency of the store'
            '--category|*|Section of the menu: its name (made when new), its id, or as an item shows it'
            '--modifiers|*|Choices on the item'
            '--if-version|*|The version that is to be changed'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
        )
        'business catalog available' = @(
            '--until|*|With available false: back on sale from then'
            '--reason|sold_out,seasonal,equipment,other|Reason for being off sale'
            '--if-version|*|The version that is to be changed'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
        )
        'business catalog delete' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
        )
        'business catalog import' = @(
            '--merchant|@merchant_id|the store by name or id, when you have several'
            '--category|*|category of items that name none'
            '--currency|*|currency of amounts that name none'
            '--update||change what is on the menu already to what the file says'
            '--remove-missing||with --update: delete what is on the menu and not in the file'
            '--allow-free||put new items on sale whose price is zero'
            '--allow-high||create new items whose prices are all whole and high, as pence would be'
            '--default|*|value of a column that the file lacks, as tax_rate=20%'
            '--split||send more than 500 items in batches of 500'
            '--results|*|place of the results'
            '--force||overwrite a file that dray did not write'
            '--map|*|header of a column'
            '--map-value|*|meaning of a word of the file, as service_level:Y=next_day'
            '--map-only||show which header is which column, and stop'
            '--save-map|*|keep the columns of this file for the next one like it'
            '--use-map|@map|read the file with a saved map'
            '--strict||refuse columns that are not known'
            '--encoding|*|encoding of the file, such as macintosh or gbk, when it is not recognised'
            '--delimiter|comma,semicolon,tab,pipe|delimiter of the file'
            '--sheet|*|sheet of a workbook, when several could be meant'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
        )
        'business catalog export' = @(
            '--format|csv,json|csv when left out'
            '--merchant|@merchant_id|the store by name or id, when you have several'
            '--force||overwrite a file that dray did not write'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'business catalog history' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
        )
        'business catalog template' = @(
            '--example||print the example instead of the empty menu'
            '--force||overwrite a file that dray did not write'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'business catalog undo' = @(
            '--to|*|as it was at this version of its history'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
        )
        'business report' = @(
            '--from|*|the first day, or a time: 2026-11-01'
            '--to|*|the last day, with it'
            '--timezone|*|time zone of days: Europe/London when left out'
            '--currency|*|only amounts in this currency, such as GBP'
            '--csv||rows for a spreadsheet, with amounts as 12.50'
            '--html|*|also write a page with charts'
            '--force||overwrite a file that dray did not write'
            '--merchant|@merchant_id|the store by name or id, when you have several'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'sandbox status' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'sandbox' = @()
        'sandbox clock show' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'sandbox clock' = @()
        'sandbox clock set' = @(
            '--mode|real,frozen,scaled,offset|mode of the clock from then on'
            '--factor|*|factor of its speed, with mode scaled'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'sandbox clock freeze' = @(
            '--at|*|at this later time instead of now'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'sandbox clock advance' = @(
            '--to|*|until this time instead, as "tomorrow 18:00"'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'sandbox clock run' = @(
            '--factor|*|so many times as fast as real time'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'sandbox supply' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'sandbox account list' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'sandbox account' = @()
        'sandbox account add' = @(
            '--name|*|name of the person or the company'
            '--scope|*|permissions'
            '--membership|none,active,trialing|the membership it starts with'
            '--carrier||with a carrier agreement'
            '--business||with a business agreement'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'sandbox account membership' = @(
            '--plan|one_monthly,one_yearly|its plan'
            '--renewal|paid,fails|outcome of the next renewal'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'sandbox account wallet' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'sandbox account token' = @(
            '--scope|*|fewer scopes than the account has'
            '--expires-in|*|its life by the sandbox clock, such as 1h'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'sandbox account client' = @(
            '--scope|*|fewer scopes than the account has'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'sandbox approve' = @(
            '--account|@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain|account that the device will speak for'
            '--deny||turn the device away'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'sandbox settle' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'sandbox check open' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'sandbox check' = @()
        'sandbox check settle' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'sandbox scan' = @(
            '--hub|@hub|hub where it is scanned, by id or code'
            '--reason|recipient_unavailable,business_closed,refused,address_incorrect,address_not_found,access_denied,damaged,missorted,weather,vehicle_breakdown,future_delivery_requested,cod_not_available,customs_hold,id_check_failed,unsafe_location,holiday_closure,other|reason, where something went wrong'
            '--detail|*|reason, in words'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'sandbox step' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'sandbox snapshot save' = @(
            '--force||overwrite a file that dray did not write'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'sandbox snapshot' = @()
        'sandbox snapshot load' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'sandbox snapshot list' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'sandbox backup' = @(
            '--force||overwrite a file that dray did not write'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'sandbox restore' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'sandbox log' = @(
            '--operation|*|only this operation'
            '--status|*|only with this HTTP status, or this kind of them, as 4xx'
            '--account|@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain|only of this account'
            '--failed||only what was refused or went wrong'
            '--slower|*|only what took at least so many milliseconds'
            '--follow||go on with what comes'
            '-f||go on with what comes'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
        )
        'sandbox events' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'sandbox reset' = @(
            '--seed|*|another seed'
            '--at|*|freeze the new clock there'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'scenario run' = @(
            '--ephemeral||a fresh sandbox in memory for each file'
            '--seed|*|seed of that sandbox, whatever the file says'
            '--set|*|another value for a variable'
            '--junit|*|also write the results as JUnit?s XML'
            '--force||overwrite a file that dray did not write'
            '--fail-fast||stop at the first step that fails'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'scenario' = @()
        'profile list' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'profile' = @()
        'profile add' = @(
            '--base-url|*|address of a service'
            '--store|*|an embedded store: a file or postgres://...'
            '--account|@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain|sandbox account to act as'
            '--pay|card,wallet,cash,table|payment method'
            '--route-engine|*|the server that an embedded store asks for routes'
            '--default-output|table,json,ndjson,csv,yaml|form of results'
            '--default-parcel|*|for manifests without such a column, e.g'
            '--protected||ask for --confirm NAME before anything changes'
            '--update||change a profile that exists'
            '--use||and use it from now on'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'profile use' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'profile show' = @(
            '--explain||every setting with its value and its source'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'profile bind' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'profile remove' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'intents list' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'intents' = @()
        'intents show' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'intents resolve' = @(
            '--discard||forget it, whatever became of it'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'open' = @(
            '--no-browser||print the link, open nothing'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'start' = @()
        'status' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'recent' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
        )
        'doctor' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'approve' = @(
            '--max-total|*|agree to no more than this'
            '--tier|economy,comfort,xl,premium,accessible|ride, where an agent asks for several of one quote'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'login' = @(
            '--scope|*|ask for this only, such as food.read'
            '--no-browser||show the address of the page, open nothing'
            '--no-keyring||keep the login in the file'
            '--token-stdin||read a token from standard input instead'
            '--token-file|*|read a token from a file instead'
            '--client-id|*|log in as a program of a business or carrier account'
            '--client-secret-file|*|its secret, from a file or standard input'
            '--sandbox||log in to the sandbox, embedded or served on this machine'
            '--account|@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain|account of the sandbox'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'logout' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'whoami' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'serve' = @(
            '--host|*|address to listen on'
            '--port|*|port to listen on'
            '--allowed-host|*|name that a proxy in front passes on as Host'
            '--trusted-proxy|*|proxy in front whose X-Forwarded-For and X-Forwarded-Proto are believed'
            '--keep-alive|*|seconds for which a connection may be idle'
            '--sandbox-control||serve the control plane to other machines too'
            '--route-engine|*|a server that speaks OSRM?s protocol, for distances and times'
            '--rate-limit|*|requests of one account in 60 or so many seconds'
            '--spend-limit|*|of these, orders, rides, deliveries, bookings and tasks'
            '--cluster|*|serve with N processes on one store'
            '--metrics|*|an address of its own for /metrics'
            '--log|*|append the log to FILE, which SIGHUP opens anew'
            '--operation|*|log only this operation'
            '--status|*|log only with this HTTP status, or this kind of them, as 4xx'
            '--account|@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain|log only of this account'
            '--failed||log only what was refused or went wrong'
            '--slower|*|log only what took at least so many milliseconds'
        )
        'openapi' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'mcp' = @(
            '--read-only||only the tools that look and price'
            '--toolsets|*|only these: account, food, rides, delivery, carrier, services, tasks, business'
            '--tools|*|only these tools, or these too with --toolsets'
            '--exclude|*|all but these tools'
            '--output-schemas||list what each tool answers, too: eight times the text'
            '--sandbox-tools||for developers: tools that tell and move the clock of the sandbox, step a resource, and play scenarios'
            '--max-spend|*|buy no more than this in an hour, a day or a week, or in all without a period'
            '--confirm||ask a person before anything is bought, deleted or paid back, also in the sandbox of this machine'
            '--allow-confirm||let agents buy and change prices without a person, also at a service and with a protected profile'
            '--audit|*|file in which each call is noted, before and after'
            '--rate-limit|*|requests of one account in 60 or so many seconds'
            '--spend-limit|*|of these, orders, rides, deliveries, bookings and tasks'
            '--http||serve streamable HTTP at /mcp instead, for callers with a token'
            '--host|*|with --http: 127.0.0.1 without it'
            '--port|*|with --http: 8081 without it, 0 takes any free one'
            '--allowed-host|*|with --http: name that a proxy in front passes on as Host'
            '--trusted-proxy|*|with --http: proxy in front whose X-Forwarded-For and X-Forwarded-Proto are believed'
            '--keep-alive|*|with --http: seconds for which a connection may be idle'
            '--log|*|with --http: append the log to FILE'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'mcp install' = @(
            '--read-only||only the tools that look and price'
            '--toolsets|*|only these: account, food, rides, delivery, carrier, services, tasks, business'
            '--max-spend|*|buy no more than this in an hour, a day or a week, or in all without a period'
            '--name|*|name of the server in the program'
            '--file|*|another file than the program?s usual one'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'skill' = @()
        'api' = @(
            '--list||list the operations'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'completion' = @()
        'help' = @()
        'share' = @(
            '--withdraw||end all links of it instead'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'completion install' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'completion uninstall' = @(
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
        )
        'api get_membership_status' = @(
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'api search_restaurants' = @(
            '--q|*|Part of a name, a cuisine or something on the menu'
            '--latitude|*|Degrees north'
            '--longitude|*|Degrees east'
            '--radius|*|Radius in metres, as the crow flies'
            '--kind|restaurant,grocery,shop|Only of this kind'
            '--cuisine|*|Only with this cuisine, such as thai'
            '--fulfillment|delivery,pickup,dine_in|Only those that offer this here'
            '--include-closed||Also those that are closed now, to order for later'
            '--sort|distance,rating,eta|Sort order'
            '--near|@place|latitude,longitude in degrees, as 51.5014,-0.1406, a postcode, an address, or a place, as kings-cross'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'api get_restaurant_menu' = @(
            '--merchant-id|*|Store'
            '--category|*|One section only, by name or id'
            '--available-only||Only what can be had now'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'api quote_food_order' = @(
            '--merchant-id|*|Store'
            '--fulfillment-type|delivery,pickup,dine_in|Fulfilment type'
            '--items|*|The basket'
            '--dropoff-address-line1|*|Building and street'
            '--dropoff-address-line2|*|Flat or unit'
            '--dropoff-address-city|*|Town or city'
            '--dropoff-address-region|*|County or state'
            '--dropoff-address-postal-code|*|Postcode'
            '--dropoff-address-country-code|*|Country, as GB, GBR or United Kingdom'
            '--dropoff-address-location-latitude|*|Degrees north'
            '--dropoff-address-location-longitude|*|Degrees east'
            '--dropoff-address-access-notes|*|Notes to the courier'
            '--dropoff-location-latitude|*|Degrees north'
            '--dropoff-location-longitude|*|Degrees east'
            '--dropoff-name|*|Name that people use'
            '--dropoff-precision|exact,street,postcode,district|'
            '--table-table-number|*|Table, with dine_in'
            '--table-party-size|*|Number of people'
            '--scheduled-for|*|A quarter of an hour within the next 7 days'
            '--tip|*|For the courier, with delivery'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'api place_food_order' = @(
            '--quote-id|*|Quote of quote_food_order'
            '--payment-method|card,wallet,cash,pay_at_table|Payment method'
            '--payment-payment-token|*|Token of the card, with method card'
            '--contact-name|*|Name'
            '--contact-phone|*|Telephone, as +442079460123'
            '--contact-email|*|E-mail address'
            '--notes|*|Notes to the store'
            '--expected-total|*|The total that was shown'
            '--max-total|*|pay no more than this'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--scenario|*|sandbox scenario of what is created'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'api get_food_order' = @(
            '--order-id|*|Order'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'api list_food_orders' = @(
            '--status|placed,accepted,preparing,ready,out_for_delivery,completed,rejected,cancelled,failed|In any of these states'
            '--merchant|@merchant_id|Store'
            '--created-from|*|Placed at or after'
            '--created-to|*|Placed before'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'api cancel_food_order' = @(
            '--order-id|*|Order'
            '--reason|changed_mind,ordered_by_mistake,taking_too_long,wrong_address,other|Reason'
            '--note|*|In your own words'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'api search_ride_options' = @(
            '--latitude|*|Degrees north'
            '--longitude|*|Degrees east'
            '--passengers|*|Number of passengers'
            '--near|@place|latitude,longitude in degrees, as 51.5014,-0.1406, a postcode, an address, or a place, as kings-cross'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'api quote_ride' = @(
            '--pickup-address-line1|*|Building and street'
            '--pickup-address-line2|*|Flat or unit'
            '--pickup-address-city|*|Town or city'
            '--pickup-address-region|*|County or state'
            '--pickup-address-postal-code|*|Postcode'
            '--pickup-address-country-code|*|Country, as GB, GBR or United Kingdom'
            '--pickup-address-location-latitude|*|Degrees north'
            '--pickup-address-location-longitude|*|Degrees east'
            '--pickup-address-access-notes|*|Notes to the courier'
            '--pickup-location-latitude|*|Degrees north'
            '--pickup-location-longitude|*|Degrees east'
            '--pickup-name|*|Name that people use'
            '--pickup-precision|exact,street,postcode,district|'
            '--dropoff-address-line1|*|Building and street'
            '--dropoff-address-line2|*|Flat or unit'
            '--dropoff-address-city|*|Town or city'
            '--dropoff-address-region|*|County or state'
            '--dropoff-address-postal-code|*|Postcode'
            '--dropoff-address-country-code|*|Country, as GB, GBR or United Kingdom'
            '--dropoff-address-location-latitude|*|Degrees north'
            '--dropoff-address-location-longitude|*|Degrees east'
            '--dropoff-address-access-notes|*|Notes to the courier'
            '--dropoff-location-latitude|*|Degrees north'
            '--dropoff-location-longitude|*|Degrees east'
            '--dropoff-name|*|Name that people use'
            '--dropoff-precision|exact,street,postcode,district|'
            '--stops|*|Stops on the way'
            '--passengers|*|Number of passengers'
            '--scheduled-for|*|Pickup time, from 30 minutes to 30 days ahead'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--scenario|*|sandbox scenario of what is created'
        )
        'api request_ride' = @(
            '--quote-id|*|Quote of quote_ride'
            '--tier|economy,comfort,xl,premium,accessible|Kind of ride'
            '--passenger-name|*|Name'
            '--passenger-phone|*|Telephone, as +442079460123'
            '--passenger-email|*|E-mail address'
            '--passenger-count|*|Number of passengers'
            '--notes|*|Notes to the driver'
            '--payment-method|card,wallet,cash|Payment method'
            '--payment-payment-token|*|Token of the card, with method card'
            '--expected-total|*|The total that was shown'
            '--max-total|*|pay no more than this'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--scenario|*|sandbox scenario of what is created'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'api get_ride' = @(
            '--ride-id|*|Ride'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'api list_rides' = @(
            '--status|scheduled,processing,accepted,arriving,arrived,in_progress,completed,cancelled,no_drivers_available|In any of these states'
            '--created-from|*|Requested at or after'
            '--created-to|*|Requested before'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'api cancel_ride' = @(
            '--ride-id|*|Ride'
            '--reason|changed_plans,long_wait,wrong_pickup,driver_request,other|Reason'
            '--note|*|In your own words'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'api quote_delivery' = @(
            '--pickup-address-line1|*|Building and street'
            '--pickup-address-line2|*|Flat or unit'
            '--pickup-address-city|*|Town or city'
            '--pickup-address-region|*|County or state'
            '--pickup-address-postal-code|*|Postcode'
            '--pickup-address-country-code|*|Country, as GB, GBR or United Kingdom'
            '--pickup-address-location-latitude|*|Degrees north'
            '--pickup-address-location-longitude|*|Degrees east'
            '--pickup-address-access-notes|*|Notes to the courier'
            '--pickup-location-latitude|*|Degrees north'
            '--pickup-location-longitude|*|Degrees east'
            '--pickup-name|*|Name that people use'
            '--pickup-precision|exact,street,postcode,district|'
            '--dropoff-address-line1|*|Building and street'
            '--dropoff-address-line2|*|Flat or unit'
            '--dropoff-address-city|*|Town or city'
            '--dropoff-address-region|*|County or state'
            '--dropoff-address-postal-code|*|Postcode'
            '--dropoff-address-country-code|*|Country, as GB, GBR or United Kingdom'
            '--dropoff-address-location-latitude|*|Degrees north'
            '--dropoff-address-location-longitude|*|Degrees east'
            '--dropoff-address-access-notes|*|Notes to the courier'
            '--dropoff-location-latitude|*|Degrees north'
            '--dropoff-location-longitude|*|Degrees east'
            '--dropoff-name|*|Name that people use'
            '--dropoff-precision|exact,street,postcode,district|'
            '--parcel-size|small,medium,large,xl|Size: small fits into a rucksack'
            '--parcel-weight-grams|*|Weight in grams'
            '--parcel-description|*|Contents'
            '--parcel-value|*|Value'
            '--parcel-requires-id||Whoever receives it must show an identity document'
            '--pickup-ready-at|*|Earliest time of collection, within 7 days'
            '--vehicle-type|walker,bicycle,motorbike,car,van|Vehicle of the courier'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'api request_delivery' = @(
            '--quote-id|*|Quote of quote_delivery'
            '--pickup-contact-name|*|Name'
            '--pickup-contact-phone|*|Telephone, as +442079460123'
            '--pickup-contact-email|*|E-mail address'
            '--dropoff-contact-name|*|Name'
            '--dropoff-contact-phone|*|Telephone, as +442079460123'
            '--dropoff-contact-email|*|E-mail address'
            '--pickup-notes|*|Notes for the pickup'
            '--dropoff-notes|*|Notes to the courier'
            '--verification-dropoff|photo,signature,pincode|All proofs that the courier must bring back from the door'
            '--payment-method|card,wallet,cash,pay_at_table|Payment method'
            '--payment-payment-token|*|Token of the card, with method card'
            '--external-reference|*|Your own word for it'
            '--expected-total|*|The total that was shown'
            '--max-total|*|pay no more than this'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--scenario|*|sandbox scenario of what is created'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'api get_delivery' = @(
            '--delivery-id|*|Delivery'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'api check_coverage' = @(
            '--postal-code|*|Postcode'
            '--country|*|Country, as GB, GBR or United Kingdom'
            '--latitude|*|Degrees north'
            '--longitude|*|Degrees east'
            '--service|same_day,next_day,two_day,economy|Service level'
            '--point|@place|latitude,longitude in degrees, as 51.5014,-0.1406, a postcode, an address, or a place, as kings-cross'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'api quote_rates' = @(
            '--to-postal-code|*|Postcode'
            '--to-country|*|Country, as GB, GBR or United Kingdom'
            '--to-city|*|Town or city'
            '--weight|*|Weight in grams'
            '--length|*|Length in millimetres'
            '--width|*|Width in millimetres'
            '--height|*|Height in millimetres'
            '--from-hub|@hub|Hub, by id or code'
            '--declared-value-amount|*|What it is insured for, in minor units'
            '--declared-value-currency|*|Its currency'
            '--service|same_day,next_day,two_day,economy|Service level'
            '--declared-value|*|declared value in major units, as 25.00'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'api create_shipment' = @(
            '--to-name|*|Name'
            '--to-phone|*|Telephone, as +442079460123'
            '--to-email|*|E-mail address'
            '--to-line1|*|Building and street'
            '--to-line2|*|Flat or unit'
            '--to-city|*|Town or city'
            '--to-region|*|County or state'
            '--to-postal-code|*|Postcode'
            '--to-country|*|Country, as GB, GBR or United Kingdom'
            '--to-latitude|*|Degrees north'
            '--to-longitude|*|Degrees east'
            '--instructions|*|Notes to the courier'
            '--to-company|*|Company'
            '--weight|*|Weight in grams'
            '--length|*|Length in millimetres'
            '--width|*|Width in millimetres'
            '--height|*|Height in millimetres'
            '--description|*|Contents'
            '--declared-value|*|Insured value'
            '--contents|documents,merchandise,gift,return|Kind of contents'
            '--service|same_day,next_day,two_day,economy|Service level'
            '--hub|@hub|Hub that collects it, by id or code'
            '--from-name|*|Name'
            '--from-phone|*|Telephone, as +442079460123'
            '--from-email|*|E-mail address'
            '--from-line1|*|Building and street'
            '--from-line2|*|Flat or unit'
            '--from-city|*|Town or city'
            '--from-region|*|County or state'
            '--from-postal-code|*|Postcode'
            '--from-country|*|Country, as GB, GBR or United Kingdom'
            '--from-latitude|*|Degrees north'
            '--from-longitude|*|Degrees east'
            '--from-notes|*|Notes to the courier'
            '--from-company|*|Company'
            '--reference|*|Your own reference, unique among your parcels'
            '--signature||Hand over only against a signature'
            '--safe-place|*|Safe place to leave it'
            '--cash-on-delivery|*|Cash that the courier collects'
            '--not-before|*|Earliest day of delivery'
            '--max-total|*|pay no more than this'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--scenario|*|sandbox scenario of what is created'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'api create_shipments_batch' = @(
            '--shipments|*|The parcels'
            '--manifest-reference|*|Your own name for the manifest'
            '--default-service-level|same_day,next_day,two_day,economy|Service level'
            '--default-hub-id|*|Hub of rows that name none, by id or code'
            '--on-cancelled|create,skip|Rows whose reference and content are those of a cancelled parcel: create makes the parcel again, skip leaves it out'
            '--results|all,problems|problems gives only the rows that were rejected'
            '--price-only||True checks and prices every row as it would be sent, and creates none'
            '--max-total|*|pay no more than this'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--scenario|*|sandbox scenario of what is created'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'api get_shipment' = @(
            '--tracking-number|*|Tracking number, spaces and small letters allowed'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'api list_shipments' = @(
            '--status|pre_transit,in_transit,out_for_delivery,delivery_attempted,available_for_pickup,delivered,returning,returned,lost,cancelled|In any of these states'
            '--service|same_day,next_day,two_day,economy|Service level'
            '--reference|*|Your own reference, unique among your parcels'
            '--batch|@batch_id|Made by one manifest'
            '--created-from|*|Created at or after'
            '--created-to|*|Created before'
            '--delivered-from|*|Delivered at or after'
            '--delivered-to|*|Delivered before'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'api cancel_shipment' = @(
            '--tracking-number|*|Tracking number, spaces and small letters allowed'
            '--reason|order_cancelled,address_wrong,duplicate,lost_stock,other|Reason for cancelling'
            '--note|*|In your own words'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'api list_shipment_events' = @(
            '--tracking-number|*|Tracking number, spaces and small letters allowed'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'api list_hubs' = @(
            '--postal-code|*|Postcode'
            '--country|*|Country, as GB, GBR or United Kingdom'
            '--active||Hubs that are open (true) or closed (false)'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'api search_service_providers' = @(
            '--q|*|Part of a name, a kind or a service'
            '--latitude|*|Degrees north'
            '--longitude|*|Degrees east'
            '--category|cleaning,plumbing,electrical,handyman,gardening,beauty,pet_care,tutoring|Kind of service'
            '--service|*|Service, such as deep_clean'
            '--date|*|Only who has an open start on this date, where they are'
            '--duration|*|Duration of the job in minutes'
            '--available-now||Only who can come as soon as anybody could'
            '--sort|distance,rating,price,soonest|Sort order'
            '--near|@place|latitude,longitude in degrees, as 51.5014,-0.1406, a postcode, an address, or a place, as kings-cross'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'api get_provider_availability' = @(
            '--provider-id|*|Provider'
            '--date|*|First date, where the provider is'
            '--duration-minutes|*|Duration of the job in minutes'
            '--service-code|*|Service, such as deep_clean'
            '--days|*|Number of dates'
            '--view|starts,days|days gives a row for each date, with local times'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'api quote_service' = @(
            '--provider-id|*|Provider'
            '--service-code|*|Service, such as deep_clean'
            '--place-address-line1|*|Building and street'
            '--place-address-line2|*|Flat or unit'
            '--place-address-city|*|Town or city'
            '--place-address-region|*|County or state'
            '--place-address-postal-code|*|Postcode'
            '--place-address-country-code|*|Country, as GB, GBR or United Kingdom'
            '--place-address-location-latitude|*|Degrees north'
            '--place-address-location-longitude|*|Degrees east'
            '--place-address-access-notes|*|Notes to the courier'
            '--place-location-latitude|*|Degrees north'
            '--place-location-longitude|*|Degrees east'
            '--place-name|*|Name that people use'
            '--place-precision|exact,street,postcode,district|'
            '--duration-minutes|*|Duration of the job in minutes'
            '--starts-at|*|One of the starts of get_provider_availability'
            '--notes|*|Notes to the provider'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'api book_service' = @(
            '--quote-id|*|Quote of quote_service'
            '--starts-at|*|One of the starts of get_provider_availability'
            '--preferred-window-starts-at|*|From when on it may begin'
            '--preferred-window-ends-at|*|Until when it may begin'
            '--contact-name|*|Name'
            '--contact-phone|*|Telephone, as +442079460123'
            '--contact-email|*|E-mail address'
            '--notes|*|Notes to the provider'
            '--access-notes|*|Notes on access'
            '--payment-method|card,wallet,cash,pay_at_table|Payment method'
            '--payment-payment-token|*|Token of the card, with method card'
            '--expected-total|*|The total that was shown'
            '--max-total|*|pay no more than this'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--scenario|*|sandbox scenario of what is created'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'api get_service_booking' = @(
            '--booking-id|*|Booking'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'api list_task_types' = @(
            '--latitude|*|Degrees north'
            '--longitude|*|Degrees east'
            '--category|verification,errand,retail_audit,inspection,queueing,pickup|Only of this kind'
            '--near|@place|latitude,longitude in degrees, as 51.5014,-0.1406, a postcode, an address, or a place, as kings-cross'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'api quote_task' = @(
            '--task-type|*|Task type, such as shelf_audit'
            '--place-address-line1|*|Building and street'
            '--place-address-line2|*|Flat or unit'
            '--place-address-city|*|Town or city'
            '--place-address-region|*|County or state'
            '--place-address-postal-code|*|Postcode'
            '--place-address-country-code|*|Country, as GB, GBR or United Kingdom'
            '--place-address-location-latitude|*|Degrees north'
            '--place-address-location-longitude|*|Degrees east'
            '--place-address-access-notes|*|Notes to the courier'
            '--place-location-latitude|*|Degrees north'
            '--place-location-longitude|*|Degrees east'
            '--place-name|*|Name that people use'
            '--place-precision|exact,street,postcode,district|'
            '--window-starts-at|*|Not before'
            '--window-ends-at|*|Done by'
            '--urgency|standard,express|Urgency'
            '--requirements|*|Task details, per the requirements_schema of the type'
            '--evidence-rules|*|Stricter rules for the evidence of the type'
            '--estimated-minutes|*|Duration in minutes'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'api create_task' = @(
            '--quote-id|*|Quote of quote_task'
            '--requirements|*|Task details, per the requirements_schema of the type'
            '--evidence-rules|*|Stricter rules for the evidence of the type'
            '--instructions|*|In your own words, for whoever is sent'
            '--contact-name|*|Name'
            '--contact-phone|*|Telephone, as +442079460123'
            '--contact-email|*|E-mail address'
            '--payment-method|card,wallet,cash,pay_at_table|Payment method'
            '--payment-payment-token|*|Token of the card, with method card'
            '--expected-total|*|The total that was shown'
            '--max-total|*|pay no more than this'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--scenario|*|sandbox scenario of what is created'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'api get_task' = @(
            '--task-id|*|Task'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'api get_task_evidence' = @(
            '--task-id|*|Task'
            '--requirement-id|*|Only for this requirement'
            '--kind|photo,checklist,signature,reading|Only of this kind'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'api cancel_task' = @(
            '--task-id|*|Task'
            '--reason|no_longer_needed,wrong_details,too_slow,other|Reason'
            '--note|*|In your own words'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'api list_business_orders' = @(
            '--status|placed,accepted,preparing,ready,out_for_delivery,completed,rejected,cancelled,failed|In any of these states'
            '--fulfillment|delivery,pickup,dine_in|Got in any of these ways'
            '--active||Only those that are not over'
            '--payment|unpaid,paid,partially_refunded,refund_pending,refunded,failed|Payment status'
            '--created-from|*|Placed at or after'
            '--created-to|*|Placed before'
            '--merchant|@merchant_id|Store'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'api get_business_order' = @(
            '--order-id|*|Order'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
        )
        'api accept_business_order' = @(
            '--order-id|*|Order'
            '--prep|*|Minutes until it is ready'
            '--note|*|For the store?s own eyes'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'api reject_business_order' = @(
            '--order-id|*|Order'
            '--reason|item_unavailable,store_closed,too_busy,cannot_fulfil_note,price_error,other|Reason'
            '--note|*|For the customer'
            '--item|@item_id|The items of the order that it is about'
            '--mark-unavailable||Take those items off sale'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'api start_business_order_prep' = @(
            '--order-id|*|Order'
            '--prep|*|Minutes until it is ready'
            '--note|*|For the store?s own eyes'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'api mark_business_order_ready' = @(
            '--order-id|*|Order'
            '--note|*|For the store?s own eyes'
            '--instructions|*|Instructions for the courier at the store'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'api complete_business_order' = @(
            '--order-id|*|Order'
            '--note|*|For the store?s own eyes'
            '--collected-by|*|Name of the person who collected it'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
            '--wait||follow it to its end: exit 0 for success, 7 without, 8 when --timeout is over'
        )
        'api list_catalog_items' = @(
            '--category|*|Section, by name or id'
            '--available||Only those that can be had now, or only those that cannot'
            '--q|*|Part of the name'
            '--updated-since|*|Changed at or after'
            '--merchant|@merchant_id|Store'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--limit|*|rows of a page, 1 to 100'
            '--cursor|*|continue a list after a page'
            '--all||every page of a list'
        )
        'api create_catalog_item' = @(
            '--name|*|Name on the menu'
            '--description|*|Description'
            '--price|*|Price, in the currency of the store'
            '--category|*|Section of the menu: its name (made when new), its id, or as an item shows it'
            '--modifiers|*|Choices on the item'
            '--available||On sale'
            '--until|*|With available false: back on sale from then'
            '--reason|sold_out,seasonal,equipment,other|Reason for being off sale'
            '--dietary-tags|*|Dietary tags such as vegan, gluten_free'
            '--allergens|*|Allergens such as milk, peanuts'
            '--image|*|Picture'
            '--sku|*|Your stock-keeping unit'
            '--ref|*|Your own id of the item'
            '--barcode|*|GTIN of 8, 12, 13 or 14 digits'
            '--cost|*|Cost price'
            '--stock|*|Private'
            '--supplier|*|Supplier'
            '--tax-bps|*|Tax in hundredths of a per cent'
            '--sort|*|Place in its section'
            '--category-sort|*|Place of a section that is made for it'
            '--merchant|@merchant_id|Store'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
        )
        'api update_catalog_item' = @(
            '--item-id|*|Item'
            '--name|*|Name on the menu'
            '--description|*|Description'
            '--price|*|Price, in the currency of the store'
            '--category|*|Section of the menu: its name (made when new), its id, or as an item shows it'
            '--modifiers|*|Choices on the item'
            '--if-version|*|The version that is to be changed'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
        )
        'api set_catalog_item_availability' = @(
            '--item-id|*|Item'
            '--available||True if it is on sale'
            '--until|*|With available false: back on sale from then'
            '--reason|sold_out,seasonal,equipment,other|Reason for being off sale'
            '--if-version|*|The version that is to be changed'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
        )
        'api delete_catalog_item' = @(
            '--item-id|*|Item'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
        )
        'api import_catalog_items' = @(
            '--items|*|The items'
            '--default-category|*|Category of rows that name none'
            '--default-currency|*|Currency of amounts that name none'
            '--results|all,problems|problems gives only the rows that were rejected'
            '--merchant-id|*|Store'
            '--input|*|the whole input as a JSON object'
            '--fields|*|only these fields'
            '--query|*|reshape the result'
            '--dry-run||check and price'
            '--idempotency-key|*|key of this call'
            '--new||do it anew, also when the same command was cut off before its answer'
        )
        'help account' = @()
        'help food' = @()
        'help rides' = @()
        'help delivery' = @()
        'help carrier' = @()
        'help services' = @()
        'help tasks' = @()
        'help business orders' = @()
        'help business' = @()
        'help business catalog' = @()
        'help sandbox' = @()
        'help sandbox clock' = @()
        'help sandbox account' = @()
        'help sandbox check' = @()
        'help sandbox snapshot' = @()
        'help scenario' = @()
        'help profile' = @()
        'help intents' = @()
        'help mcp' = @()
        'help completion' = @()
    }
    # By the words so far: what its argument may be.
    $places = @{
        'food menu' = @(
            '@merchant_id'
        )
        'food quote' = @(
            '@merchant_id'
        )
        'food order' = @(
            '@merchant_id'
        )
        'food track' = @(
            '@order_id'
        )
        'food show' = @(
            '@order_id'
        )
        'food cancel' = @(
            '@order_id'
        )
        'rides track' = @(
            '@ride_id'
        )
        'rides show' = @(
            '@ride_id'
        )
        'rides cancel' = @(
            '@ride_id'
        )
        'delivery show' = @(
            '@delivery_id'
        )
        'delivery track' = @(
            '@delivery_id'
        )
        'carrier show' = @(
            '@tracking_number'
        )
        'carrier events' = @(
            '@tracking_number'
        )
        'carrier track' = @(
            '@tracking_number'
        )
        'carrier cancel' = @(
            '@tracking_number'
        )
        'carrier label' = @(
            '@tracking_number'
        )
        'carrier report' = @(
            'today'
            'yesterday'
            'week'
            'month'
        )
        'services slots' = @(
            '@provider_id'
        )
        'services quote' = @(
            '@provider_id'
        )
        'services book' = @(
            '@provider_id'
        )
        'services show' = @(
            '@booking_id'
        )
        'services track' = @(
            '@booking_id'
        )
        'tasks quote' = @(
            '@task_type'
        )
        'tasks create' = @(
            '@task_type'
        )
        'tasks show' = @(
            '@task_id'
        )
        'tasks evidence' = @(
            '@task_id'
        )
        'tasks track' = @(
            '@task_id'
        )
        'tasks cancel' = @(
            '@task_id'
        )
        'business orders show' = @(
            '@order_id'
        )
        'business orders accept' = @(
            '@order_id'
        )
        'business orders reject' = @(
            '@order_id'
        )
        'business orders prepare' = @(
            '@order_id'
        )
        'business orders ready' = @(
            '@order_id'
        )
        'business orders complete' = @(
            '@order_id'
        )
        'business catalog update' = @(
            '@item_id'
        )
        'business catalog available' = @(
            '@item_id'
        )
        'business catalog delete' = @(
            '@item_id'
        )
        'business report' = @(
            'today'
            'yesterday'
            'week'
            'month'
        )
        'sandbox supply' = @(
            'normal'
            'scarce'
            'unlimited'
        )
        'sandbox account membership' = @(
            '@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain'
        )
        'sandbox account wallet' = @(
            '@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain'
        )
        'sandbox account token' = @(
            '@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain'
        )
        'sandbox account client' = @(
            '@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain'
        )
        'sandbox settle' = @(
            '@order_id'
        )
        'sandbox check open' = @(
            '@order_id'
        )
        'sandbox check settle' = @(
            '@order_id'
        )
        'sandbox scan' = @(
            '@tracking_number'
        )
        'sandbox step' = @(
            '@resource'
        )
        'profile use' = @(
            '@profile'
        )
        'profile show' = @(
            '@profile'
        )
        'profile bind' = @(
            '@profile'
        )
        'profile remove' = @(
            '@profile'
        )
        'open' = @(
            'kitchen'
            'parcels'
            'world'
        )
        'start' = @(
            'order'
            'store'
            'parcels'
            'build'
        )
        'mcp install' = @(
            'claude-desktop'
            'claude-code'
            'cursor'
            'vscode'
            'windsurf'
            'codex'
            'gemini-cli'
        )
        'completion install' = @(
            'bash'
            'zsh'
            'fish'
            'powershell'
        )
        'completion uninstall' = @(
            'bash'
            'zsh'
            'fish'
            'powershell'
        )
    }
    $shared = @(
        '--json||one JSON document on stdout'
        '--output|table,json,ndjson,csv,yaml|form of the result'
        '--profile|@profile|use this profile'
        '--base-url|*|talk to a service instead of the embedded sandbox'
        '--store|*|embedded store: a file or postgres://...'
        '--as|@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain|sandbox account for this command'
        '--yes||answer the confirmation with yes'
        '-y||answer the confirmation with yes'
        '--confirm|*|confirm a protected profile or a destructive command by name'
        '--no-input||ask nothing'
        '--record|*|add what is done to a scenario file, for `dray scenario run`'
        '--timeout|*|give up after this long'
        '--quiet||no notices on stderr'
        '-q||no notices on stderr'
        '--verbose||say more on stderr'
        '-v||say more on stderr'
        '--debug||show calls, times and request ids on stderr'
        '--color|auto,always,never|colour'
        '--no-pager||print long output at once, not in PAGER'
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

    # What dray knows of a kind on this machine, as value|what it is called.
    $known = {
        param($kind)
        $line = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.Extent.Text })
        @(& dray __complete $kind.Substring(1) @line 2>$null) -replace "`t", '|'
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
            $value, $text = "$line" -split '\|', 2
            if (-not $text) { $text = $value }
            if ($value -and $value -ne '*') { & $offer "$before$value" $text }
        }
    }
    elseif ($wordToComplete -like '-*' -and -not $ended) {
        foreach ($line in @($flags[$at]) + $shared) {
            $name, $values, $text = $line -split '\|', 3
            & $offer $name $text
        }
    }
    elseif ($count -eq 0) {
        $lines = @($places[$at])
        if ("$lines" -like '@*') { $lines = @(& $known "$lines") }
        foreach ($line in @($next[$at]) + $lines) {
            $name, $text = $line -split '\|', 2
            if ($name) { & $offer $name $text }
        }
    }
}
