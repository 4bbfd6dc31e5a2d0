# Completion of dray for bash. Made by `npm run generate`; do not edit.

# What may follow the words $1: the next words, flags, and what each argument may be. Fails for words that are no command.
_dray_at() {
  names='' flags='' places=() more=''
  case $1 in
    '') names='account food rides delivery carrier services tasks business sandbox scenario profile intents open start status recent doctor approve login logout whoami serve openapi mcp skill api completion help share' flags='--version -V' ;;
    'account membership') flags='--fields --query' ;;
    'account') names='membership' ;;
    'food search') flags='--latitude --longitude --radius --kind --cuisine --fulfillment --include-closed --sort --near --fields --query --limit --cursor --all' places=('') ;;
    'food') names='search menu quote order track list show cancel' ;;
    'food menu') flags='--category --available-only --near --fields --query' places=('@merchant_id') ;;
    'food quote') flags='--item --basket --fulfillment --to --table --party --for --tip --near --fields --query' places=('@merchant_id') ;;
    'food order') flags='--item --basket --fulfillment --to --table --party --for --tip --near --quote-id --max-total --expected-total --pay --payment-token --name --phone --notes --fields --query --scenario --dry-run --idempotency-key --new --wait' places=('@merchant_id') ;;
    'food track') flags='--fields --query' places=('@order_id') ;;
    'food list') flags='--status --merchant --created-from --created-to --fields --query --limit --cursor --all' ;;
    'food show') flags='--save --force --show --fields --query' places=('@order_id') ;;
    'food cancel') flags='--reason --note --fields --query --dry-run --idempotency-key --new --wait' places=('@order_id') ;;
    'rides options') flags='--latitude --longitude --passengers --near --fields --query --limit --cursor --all' ;;
    'rides') names='options quote request track list show cancel' ;;
    'rides quote') flags='--from --to --stop --passengers --for --fields --query --scenario' ;;
    'rides request') flags='--from --to --stop --passengers --for --tier --name --phone --notes --quote-id --max-total --expected-total --pay --payment-token --fields --query --scenario --dry-run --idempotency-key --new --wait' ;;
    'rides track') flags='--fields --query' places=('@ride_id') ;;
    'rides list') flags='--status --created-from --created-to --fields --query --limit --cursor --all' ;;
    'rides show') flags='--fields --query' places=('@ride_id') ;;
    'rides cancel') flags='--reason --note --fields --query --dry-run --idempotency-key --new --wait' places=('@ride_id') ;;
    'delivery quote') flags='--from --to --what --size --weight --value --requires-id --ready --vehicle --fields --query' ;;
    'delivery') names='quote request show track' ;;
    'delivery request') flags='--from --to --what --size --weight --value --requires-id --ready --vehicle --from-name --from-phone --from-notes --to-name --to-phone --to-notes --proof --reference --quote-id --max-total --expected-total --pay --payment-token --fields --query --scenario --dry-run --idempotency-key --new --wait' ;;
    'delivery show') flags='--save --force --show --fields --query' places=('@delivery_id') ;;
    'delivery track') flags='--fields --query' places=('@delivery_id') ;;
    'carrier coverage') flags='--postal-code --country --latitude --longitude --service --point --fields --query' ;;
    'carrier') names='coverage rates hubs create upload template list show events track cancel handover label report' ;;
    'carrier rates') flags='--to-postal-code --to-country --to-city --weight --length --width --height --from-hub --declared-value-amount --declared-value-currency --service --declared-value --fields --query --limit --cursor --all' ;;
    'carrier hubs') flags='--postal-code --country --active --fields --query --limit --cursor --all' ;;
    'carrier create') flags='--to-name --to-phone --to-email --to-line1 --to-line2 --to-city --to-region --to-postal-code --to-country --to-latitude --to-longitude --instructions --to-company --weight --length --width --height --description --declared-value --contents --service --hub --from-name --from-phone --from-email --from-line1 --from-line2 --from-city --from-region --from-postal-code --from-country --from-latitude --from-longitude --from-notes --from-company --reference --signature --safe-place --cash-on-delivery --not-before --max-total --fields --query --scenario --dry-run --idempotency-key --new --wait' ;;
    'carrier upload') flags='--default --service --fallback-service --hub --reference-prefix --split --results --labels --force --map --map-value --map-only --save-map --use-map --weight-unit --length-unit --merge-lines --include --strict --encoding --delimiter --sheet --again-cancelled --max-total --manifest-reference --fields --query --scenario --dry-run --idempotency-key --new --wait' places=('@file') ;;
    'carrier template') flags='--example --force --fields --query' places=('@file') ;;
    'carrier list') flags='--status --service --reference --batch --created-from --created-to --delivered-from --delivered-to --fields --query --limit --cursor --all' ;;
    'carrier show') flags='--save --force --show --fields --query' places=('@tracking_number') ;;
    'carrier events') flags='--fields --query --limit --cursor --all' places=('@tracking_number') ;;
    'carrier track') flags='--batch --manifest --fields --query --wait' places=('@tracking_number') more=1 ;;
    'carrier cancel') flags='--reason --note --fields --query --dry-run --idempotency-key --new --wait' places=('@tracking_number') ;;
    'carrier handover') flags='--hub --date --format --out --force --print --printer --fields --query' ;;
    'carrier label') flags='--format --size --start --dpi --batch --manifest --status --created-today --out --force --print --printer --fields --query' places=('@tracking_number') more=1 ;;
    'carrier report') flags='--from --to --timezone --currency --csv --html --force --fields --query' places=('today yesterday week month') ;;
    'services providers') flags='--latitude --longitude --category --service --date --duration --available-now --sort --near --fields --query --limit --cursor --all' places=('') ;;
    'services') names='providers slots quote book show track' ;;
    'services slots') flags='--service --duration --date --days --near --fields --query' places=('@provider_id') ;;
    'services quote') flags='--service --duration --to --at --notes --near --fields --query' places=('@provider_id') ;;
    'services book') flags='--service --duration --to --at --notes --near --window --name --phone --access --quote-id --max-total --expected-total --pay --payment-token --fields --query --scenario --dry-run --idempotency-key --new --wait' places=('@provider_id') ;;
    'services show') flags='--fields --query' places=('@booking_id') ;;
    'services track') flags='--fields --query' places=('@booking_id') ;;
    'tasks types') flags='--latitude --longitude --category --near --fields --query --limit --cursor --all' ;;
    'tasks') names='types quote create show evidence track cancel' ;;
    'tasks quote') flags='--to --window --express --duration --require --requirements --rule --rules --fields --query' places=('@task_type') ;;
    'tasks create') flags='--quote-id --max-total --expected-total --to --window --express --duration --require --requirements --rule --rules --instructions --name --phone --pay --payment-token --fields --query --scenario --dry-run --idempotency-key --new --wait' places=('@task_type') ;;
    'tasks show') flags='--fields --query' places=('@task_id') ;;
    'tasks evidence') flags='--requirement --kind --save --force --verify --show --fields --query' places=('@task_id') ;;
    'tasks track') flags='--fields --query' places=('@task_id') ;;
    'tasks cancel') flags='--reason --note --fields --query --dry-run --idempotency-key --new --wait' places=('@task_id') ;;
    'business orders list') flags='--status --fulfillment --active --payment --created-from --created-to --merchant --fields --query --limit --cursor --all' ;;
    'business orders') names='list show accept reject prepare ready complete watch' ;;
    'business') names='orders catalog report' ;;
    'business orders show') flags='--merchant --fields --query' places=('@order_id') ;;
    'business orders accept') flags='--prep-time --note --merchant --fields --query --dry-run --idempotency-key --new --wait' places=('@order_id') more=1 ;;
    'business orders reject') flags='--reason --item --mark-unavailable --note --merchant --fields --query --dry-run --idempotency-key --new --wait' places=('@order_id') more=1 ;;
    'business orders prepare') flags='--prep-time --note --merchant --fields --query --dry-run --idempotency-key --new --wait' places=('@order_id') more=1 ;;
    'business orders ready') flags='--instructions --note --merchant --fields --query --dry-run --idempotency-key --new --wait' places=('@order_id') more=1 ;;
    'business orders complete') flags='--collected-by --note --merchant --fields --query --dry-run --idempotency-key --new --wait' places=('@order_id') more=1 ;;
    'business orders watch') flags='--merchant --fields --query --dry-run' ;;
    'business catalog list') flags='--category --available --q --updated-since --merchant --fields --query --limit --cursor --all' ;;
    'business catalog') names='list create update available delete import export history template undo' ;;
    'business catalog create') flags='--name --description --price --category --modifiers --available --until --reason --dietary-tags --allergens --image --sku --ref --barcode --cost --stock --supplier --tax-bps --sort --category-sort --merchant --fields --query --dry-run --idempotency-key --new' ;;
    'business catalog update') flags='--name --description --price --category --modifiers --if-version --fields --query --dry-run --idempotency-key --new' places=('@item_id') ;;
    'business catalog available') flags='--until --reason --if-version --fields --query --dry-run --idempotency-key --new' places=('@item_id' '') ;;
    'business catalog delete') flags='--fields --query --dry-run --idempotency-key --new' places=('@item_id') ;;
    'business catalog import') flags='--merchant --category --currency --update --remove-missing --allow-free --allow-high --default --split --results --force --map --map-value --map-only --save-map --use-map --strict --encoding --delimiter --sheet --fields --query --dry-run --idempotency-key --new' places=('@file') ;;
    'business catalog export') flags='--format --merchant --force --fields --query' places=('@file') ;;
    'business catalog history') flags='--fields --query --limit' places=('') ;;
    'business catalog template') flags='--example --force --fields --query' places=('@file') ;;
    'business catalog undo') flags='--to --fields --query --dry-run --idempotency-key --new' places=('') ;;
    'business report') flags='--from --to --timezone --currency --csv --html --force --merchant --fields --query' places=('today yesterday week month') ;;
    'sandbox status') flags='--fields --query' ;;
    'sandbox') names='status clock supply account approve settle check scan step snapshot backup restore log events reset' ;;
    'sandbox clock show') flags='--fields --query' ;;
    'sandbox clock') names='show set freeze advance run' ;;
    'sandbox clock set') flags='--mode --factor --fields --query --dry-run' places=('') ;;
    'sandbox clock freeze') flags='--at --fields --query --dry-run' ;;
    'sandbox clock advance') flags='--to --fields --query --dry-run' places=('') ;;
    'sandbox clock run') flags='--factor --fields --query --dry-run' ;;
    'sandbox supply') flags='--fields --query' places=('normal scarce unlimited') ;;
    'sandbox account list') flags='--fields --query' ;;
    'sandbox account') names='list add membership wallet token client' ;;
    'sandbox account add') flags='--name --scope --membership --carrier --business --fields --query --dry-run' places=('') ;;
    'sandbox account membership') flags='--plan --renewal --fields --query --dry-run' places=('@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain' 'none trialing active past_due cancelled expired') ;;
    'sandbox account wallet') flags='--fields --query' places=('@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain') ;;
    'sandbox account token') flags='--scope --expires-in --fields --query --dry-run' places=('@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain') ;;
    'sandbox account client') flags='--scope --fields --query --dry-run' places=('@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain') ;;
    'sandbox approve') flags='--account --deny --fields --query --dry-run' places=('') ;;
    'sandbox settle') flags='--fields --query --dry-run' places=('@order_id') ;;
    'sandbox check open') flags='--fields --query --dry-run' places=('@order_id') ;;
    'sandbox check') names='open settle' ;;
    'sandbox check settle') flags='--fields --query --dry-run' places=('@order_id') ;;
    'sandbox scan') flags='--hub --reason --detail --fields --query --dry-run' places=('@tracking_number' 'manifested collected arrived_at_facility departed_facility out_for_delivery delivery_attempted rescheduled available_for_pickup delivered delayed damaged held return_started returned lost address_corrected') ;;
    'sandbox step') flags='--fields --query --dry-run' places=('@resource') ;;
    'sandbox snapshot save') flags='--force --fields --query' places=('') ;;
    'sandbox snapshot') names='save load list' ;;
    'sandbox snapshot load') flags='--fields --query --dry-run' places=('') ;;
    'sandbox snapshot list') flags='--fields --query' ;;
    'sandbox backup') flags='--force --fields --query' places=('@file') ;;
    'sandbox restore') flags='--fields --query --dry-run' places=('@file') ;;
    'sandbox log') flags='--operation --status --account --failed --slower --follow -f --fields --query --limit' ;;
    'sandbox events') flags='--fields --query --limit --cursor --all' ;;
    'sandbox reset') flags='--seed --at --fields --query --dry-run' ;;
    'scenario run') flags='--ephemeral --seed --set --junit --force --fail-fast --fields --query' places=('@file') more=1 ;;
    'scenario') names='run' ;;
    'profile list') flags='--fields --query' ;;
    'profile') names='list add use show bind remove' ;;
    'profile add') flags='--base-url --store --account --pay --route-engine --default-output --default-parcel --protected --update --use --fields --query' places=('') ;;
    'profile use') flags='--fields --query' places=('@profile') ;;
    'profile show') flags='--explain --fields --query' places=('@profile') ;;
    'profile bind') flags='--fields --query' places=('@profile') ;;
    'profile remove') flags='--fields --query' places=('@profile') ;;
    'intents list') flags='--fields --query' ;;
    'intents') names='list show resolve' ;;
    'intents show') flags='--fields --query' places=('') ;;
    'intents resolve') flags='--discard --fields --query --dry-run' places=('') ;;
    'open') flags='--no-browser --fields --query --dry-run' places=('kitchen parcels world') ;;
    'start') places=('order store parcels build') ;;
    'status') flags='--fields --query' ;;
    'recent') flags='--fields --query --limit' ;;
    'doctor') flags='--fields --query' ;;
    'approve') flags='--max-total --tier --fields --query --dry-run' places=('') ;;
    'login') flags='--scope --no-browser --no-keyring --token-stdin --token-file --client-id --client-secret-file --sandbox --account --fields --query' ;;
    'logout') flags='--fields --query' ;;
    'whoami') flags='--fields --query' ;;
    'serve') flags='--host --port --allowed-host --trusted-proxy --keep-alive --sandbox-control --route-engine --rate-limit --spend-limit --cluster --metrics --log --operation --status --account --failed --slower' ;;
    'openapi') flags='--fields --query' ;;
    'mcp') names='install' flags='--read-only --toolsets --tools --exclude --output-schemas --sandbox-tools --max-spend --confirm --allow-confirm --audit --rate-limit --spend-limit --http --host --port --allowed-host --trusted-proxy --keep-alive --log --fields --query' ;;
    'mcp install') flags='--read-only --toolsets --max-spend --name --file --fields --query --dry-run' places=('claude-desktop claude-code cursor vscode windsurf codex gemini-cli') ;;
    'skill') ;;
    'api') names='get_membership_status search_restaurants get_restaurant_menu quote_food_order place_food_order get_food_order list_food_orders cancel_food_order search_ride_options quote_ride request_ride get_ride list_rides cancel_ride quote_delivery request_delivery get_delivery check_coverage quote_rates create_shipment create_shipments_batch get_shipment list_shipments cancel_shipment list_shipment_events list_hubs search_service_providers get_provider_availability quote_service book_service get_service_booking list_task_types quote_task create_task get_task get_task_evidence cancel_task list_business_orders get_business_order accept_business_order reject_business_order start_business_order_prep mark_business_order_ready complete_business_order list_catalog_items create_catalog_item update_catalog_item set_catalog_item_availability delete_catalog_item import_catalog_items' flags='--list --input --fields --query' places=('') ;;
    'completion') names='install uninstall bash zsh fish powershell' places=('bash zsh fish powershell') ;;
    'help') names='account food rides delivery carrier services tasks business sandbox scenario profile intents open start status recent doctor approve login logout whoami serve openapi mcp skill api completion help share agents exit-codes environment flags formatting manifests menus profiles sandbox scenarios' places=('agents exit-codes environment flags formatting manifests menus profiles sandbox scenarios') more=1 ;;
    'share') flags='--withdraw --fields --query --dry-run' places=('') ;;
    'completion install') flags='--fields --query --dry-run' places=('bash zsh fish powershell') ;;
    'completion uninstall') flags='--fields --query --dry-run' places=('bash zsh fish powershell') ;;
    'api get_membership_status') flags='--input --fields --query' ;;
    'api search_restaurants') flags='--q --latitude --longitude --radius --kind --cuisine --fulfillment --include-closed --sort --near --input --fields --query --limit --cursor --all' ;;
    'api get_restaurant_menu') flags='--merchant-id --category --available-only --input --fields --query' ;;
    'api quote_food_order') flags='--merchant-id --fulfillment-type --items --dropoff-address-line1 --dropoff-address-line2 --dropoff-address-city --dropoff-address-region --dropoff-address-postal-code --dropoff-address-country-code --dropoff-address-location-latitude --dropoff-address-location-longitude --dropoff-address-access-notes --dropoff-location-latitude --dropoff-location-longitude --dropoff-name --dropoff-precision --table-table-number --table-party-size --scheduled-for --tip --input --fields --query' ;;
    'api place_food_order') flags='--quote-id --payment-method --payment-payment-token --contact-name --contact-phone --contact-email --notes --expected-total --max-total --input --fields --query --scenario --dry-run --idempotency-key --new --wait' ;;
    'api get_food_order') flags='--order-id --input --fields --query' ;;
    'api list_food_orders') flags='--status --merchant --created-from --created-to --input --fields --query --limit --cursor --all' ;;
    'api cancel_food_order') flags='--order-id --reason --note --input --fields --query --dry-run --idempotency-key --new --wait' ;;
    'api search_ride_options') flags='--latitude --longitude --passengers --near --input --fields --query --limit --cursor --all' ;;
    'api quote_ride') flags='--pickup-address-line1 --pickup-address-line2 --pickup-address-city --pickup-address-region --pickup-address-postal-code --pickup-address-country-code --pickup-address-location-latitude --pickup-address-location-longitude --pickup-address-access-notes --pickup-location-latitude --pickup-location-longitude --pickup-name --pickup-precision --dropoff-address-line1 --dropoff-address-line2 --dropoff-address-city --dropoff-address-region --dropoff-address-postal-code --dropoff-address-country-code --dropoff-address-location-latitude --dropoff-address-location-longitude --dropoff-address-access-notes --dropoff-location-latitude --dropoff-location-longitude --dropoff-name --dropoff-precision --stops --passengers --scheduled-for --input --fields --query --scenario' ;;
    'api request_ride') flags='--quote-id --tier --passenger-name --passenger-phone --passenger-email --passenger-count --notes --payment-method --payment-payment-token --expected-total --max-total --input --fields --query --scenario --dry-run --idempotency-key --new --wait' ;;
    'api get_ride') flags='--ride-id --input --fields --query' ;;
    'api list_rides') flags='--status --created-from --created-to --input --fields --query --limit --cursor --all' ;;
    'api cancel_ride') flags='--ride-id --reason --note --input --fields --query --dry-run --idempotency-key --new --wait' ;;
    'api quote_delivery') flags='--pickup-address-line1 --pickup-address-line2 --pickup-address-city --pickup-address-region --pickup-address-postal-code --pickup-address-country-code --pickup-address-location-latitude --pickup-address-location-longitude --pickup-address-access-notes --pickup-location-latitude --pickup-location-longitude --pickup-name --pickup-precision --dropoff-address-line1 --dropoff-address-line2 --dropoff-address-city --dropoff-address-region --dropoff-address-postal-code --dropoff-address-country-code --dropoff-address-location-latitude --dropoff-address-location-longitude --dropoff-address-access-notes --dropoff-location-latitude --dropoff-location-longitude --dropoff-name --dropoff-precision --parcel-size --parcel-weight-grams --parcel-description --parcel-value --parcel-requires-id --pickup-ready-at --vehicle-type --input --fields --query' ;;
    'api request_delivery') flags='--quote-id --pickup-contact-name --pickup-contact-phone --pickup-contact-email --dropoff-contact-name --dropoff-contact-phone --dropoff-contact-email --pickup-notes --dropoff-notes --verification-dropoff --payment-method --payment-payment-token --external-reference --expected-total --max-total --input --fields --query --scenario --dry-run --idempotency-key --new --wait' ;;
    'api get_delivery') flags='--delivery-id --input --fields --query' ;;
    'api check_coverage') flags='--postal-code --country --latitude --longitude --service --point --input --fields --query' ;;
    'api quote_rates') flags='--to-postal-code --to-country --to-city --weight --length --width --height --from-hub --declared-value-amount --declared-value-currency --service --declared-value --input --fields --query --limit --cursor --all' ;;
    'api create_shipment') flags='--to-name --to-phone --to-email --to-line1 --to-line2 --to-city --to-region --to-postal-code --to-country --to-latitude --to-longitude --instructions --to-company --weight --length --width --height --description --declared-value --contents --service --hub --from-name --from-phone --from-email --from-line1 --from-line2 --from-city --from-region --from-postal-code --from-country --from-latitude --from-longitude --from-notes --from-company --reference --signature --safe-place --cash-on-delivery --not-before --max-total --input --fields --query --scenario --dry-run --idempotency-key --new --wait' ;;
    'api create_shipments_batch') flags='--shipments --manifest-reference --default-service-level --default-hub-id --on-cancelled --results --price-only --max-total --input --fields --query --scenario --dry-run --idempotency-key --new --wait' ;;
    'api get_shipment') flags='--tracking-number --input --fields --query' ;;
    'api list_shipments') flags='--status --service --reference --batch --created-from --created-to --delivered-from --delivered-to --input --fields --query --limit --cursor --all' ;;
    'api cancel_shipment') flags='--tracking-number --reason --note --input --fields --query --dry-run --idempotency-key --new --wait' ;;
    'api list_shipment_events') flags='--tracking-number --input --fields --query --limit --cursor --all' ;;
    'api list_hubs') flags='--postal-code --country --active --input --fields --query --limit --cursor --all' ;;
    'api search_service_providers') flags='--q --latitude --longitude --category --service --date --duration --available-now --sort --near --input --fields --query --limit --cursor --all' ;;
    'api get_provider_availability') flags='--provider-id --date --duration-minutes --service-code --days --view --input --fields --query --limit --cursor --all' ;;
    'api quote_service') flags='--provider-id --service-code --place-address-line1 --place-address-line2 --place-address-city --place-address-region --place-address-postal-code --place-address-country-code --place-address-location-latitude --place-address-location-longitude --place-address-access-notes --place-location-latitude --place-location-longitude --place-name --place-precision --duration-minutes --starts-at --notes --input --fields --query' ;;
    'api book_service') flags='--quote-id --starts-at --preferred-window-starts-at --preferred-window-ends-at --contact-name --contact-phone --contact-email --notes --access-notes --payment-method --payment-payment-token --expected-total --max-total --input --fields --query --scenario --dry-run --idempotency-key --new --wait' ;;
    'api get_service_booking') flags='--booking-id --input --fields --query' ;;
    'api list_task_types') flags='--latitude --longitude --category --near --input --fields --query --limit --cursor --all' ;;
    'api quote_task') flags='--task-type --place-address-line1 --place-address-line2 --place-address-city --place-address-region --place-address-postal-code --place-address-country-code --place-address-location-latitude --place-address-location-longitude --place-address-access-notes --place-location-latitude --place-location-longitude --place-name --place-precision --window-starts-at --window-ends-at --urgency --requirements --evidence-rules --estimated-minutes --input --fields --query' ;;
    'api create_task') flags='--quote-id --requirements --evidence-rules --instructions --contact-name --contact-phone --contact-email --payment-method --payment-payment-token --expected-total --max-total --input --fields --query --scenario --dry-run --idempotency-key --new --wait' ;;
    'api get_task') flags='--task-id --input --fields --query' ;;
    'api get_task_evidence') flags='--task-id --requirement-id --kind --input --fields --query' ;;
    'api cancel_task') flags='--task-id --reason --note --input --fields --query --dry-run --idempotency-key --new --wait' ;;
    'api list_business_orders') flags='--status --fulfillment --active --payment --created-from --created-to --merchant --input --fields --query --limit --cursor --all' ;;
    'api get_business_order') flags='--order-id --input --fields --query' ;;
    'api accept_business_order') flags='--order-id --prep --note --input --fields --query --dry-run --idempotency-key --new --wait' ;;
    'api reject_business_order') flags='--order-id --reason --note --item --mark-unavailable --input --fields --query --dry-run --idempotency-key --new --wait' ;;
    'api start_business_order_prep') flags='--order-id --prep --note --input --fields --query --dry-run --idempotency-key --new --wait' ;;
    'api mark_business_order_ready') flags='--order-id --note --instructions --input --fields --query --dry-run --idempotency-key --new --wait' ;;
    'api complete_business_order') flags='--order-id --note --collected-by --input --fields --query --dry-run --idempotency-key --new --wait' ;;
    'api list_catalog_items') flags='--category --available --q --updated-since --merchant --input --fields --query --limit --cursor --all' ;;
    'api create_catalog_item') flags='--name --description --price --category --modifiers --available --until --reason --dietary-tags --allergens --image --sku --ref --barcode --cost --stock --supplier --tax-bps --sort --category-sort --merchant --input --fields --query --dry-run --idempotency-key --new' ;;
    'api update_catalog_item') flags='--item-id --name --description --price --category --modifiers --if-version --input --fields --query --dry-run --idempotency-key --new' ;;
    'api set_catalog_item_availability') flags='--item-id --available --until --reason --if-version --input --fields --query --dry-run --idempotency-key --new' ;;
    'api delete_catalog_item') flags='--item-id --input --fields --query --dry-run --idempotency-key --new' ;;
    'api import_catalog_items') flags='--items --default-category --default-currency --results --merchant-id --input --fields --query --dry-run --idempotency-key --new' ;;
    'help account') names='membership' ;;
    'help food') names='search menu quote order track list show cancel' ;;
    'help rides') names='options quote request track list show cancel' ;;
    'help delivery') names='quote request show track' ;;
    'help carrier') names='coverage rates hubs create upload template list show events track cancel handover label report' ;;
    'help services') names='providers slots quote book show track' ;;
    'help tasks') names='types quote create show evidence track cancel' ;;
    'help business orders') names='list show accept reject prepare ready complete watch' ;;
    'help business') names='orders catalog report' ;;
    'help business catalog') names='list create update available delete import export history template undo' ;;
    'help sandbox') names='status clock supply account approve settle check scan step snapshot backup restore log events reset' ;;
    'help sandbox clock') names='show set freeze advance run' ;;
    'help sandbox account') names='list add membership wallet token client' ;;
    'help sandbox check') names='open settle' ;;
    'help sandbox snapshot') names='save load list' ;;
    'help scenario') names='run' ;;
    'help profile') names='list add use show bind remove' ;;
    'help intents') names='list show resolve' ;;
    'help mcp') names='install' ;;
    'help completion') names='install uninstall' ;;
    *) return 1 ;;
  esac
}

# What the flag $2 of the command $1 takes: one of the values, @file, @kind for what dray knows, or anything. Fails for a flag that takes nothing.
_dray_takes() {
  values=''
  case "$1 $2" in
    'account membership --fields' | 'account membership --query') ;;
    'food search --latitude' | 'food search --longitude' | 'food search --radius' | 'food search --cuisine' | 'food search --fields' | 'food search --query' | 'food search --limit' | 'food search --cursor') ;;
    'food search --kind') values='restaurant grocery shop' ;;
    'food search --fulfillment') values='delivery pickup dine_in' ;;
    'food search --sort') values='distance rating eta' ;;
    'food search --near') values='@place' ;;
    'food menu --category' | 'food menu --fields' | 'food menu --query') ;;
    'food menu --near') values='@place' ;;
    'food quote --item') values='@item_id' ;;
    'food quote --basket') values='@file' ;;
    'food quote --fulfillment') values='delivery pickup dine_in' ;;
    'food quote --to' | 'food quote --near') values='@place' ;;
    'food quote --table' | 'food quote --party' | 'food quote --for' | 'food quote --tip' | 'food quote --fields' | 'food quote --query') ;;
    'food order --item') values='@item_id' ;;
    'food order --basket') values='@file' ;;
    'food order --fulfillment') values='delivery pickup dine_in' ;;
    'food order --to' | 'food order --near') values='@place' ;;
    'food order --table' | 'food order --party' | 'food order --for' | 'food order --tip' | 'food order --quote-id' | 'food order --max-total' | 'food order --expected-total' | 'food order --payment-token' | 'food order --name' | 'food order --phone' | 'food order --notes' | 'food order --fields' | 'food order --query' | 'food order --idempotency-key') ;;
    'food order --pay') values='card wallet cash table' ;;
    'food order --scenario') values='happy store_auto store_manual store_rejects payment_pending no_courier courier_cancels courier_delay undeliverable' ;;
    'food track --fields' | 'food track --query') ;;
    'food list --status') values='placed accepted preparing ready out_for_delivery completed rejected cancelled failed' ;;
    'food list --merchant') values='@merchant_id' ;;
    'food list --created-from' | 'food list --created-to' | 'food list --fields' | 'food list --query' | 'food list --limit' | 'food list --cursor') ;;
    'food show --save' | 'food show --fields' | 'food show --query') ;;
    'food show --show') values='auto kitty iterm2 never' ;;
    'food cancel --reason') values='changed_mind ordered_by_mistake taking_too_long wrong_address other' ;;
    'food cancel --note' | 'food cancel --fields' | 'food cancel --query' | 'food cancel --idempotency-key') ;;
    'rides options --latitude' | 'rides options --longitude' | 'rides options --passengers' | 'rides options --fields' | 'rides options --query' | 'rides options --limit' | 'rides options --cursor') ;;
    'rides options --near') values='@place' ;;
    'rides quote --from' | 'rides quote --to' | 'rides quote --stop') values='@place' ;;
    'rides quote --passengers' | 'rides quote --for' | 'rides quote --fields' | 'rides quote --query') ;;
    'rides quote --scenario') values='happy surge' ;;
    'rides request --from' | 'rides request --to' | 'rides request --stop') values='@place' ;;
    'rides request --passengers' | 'rides request --for' | 'rides request --name' | 'rides request --phone' | 'rides request --notes' | 'rides request --quote-id' | 'rides request --max-total' | 'rides request --expected-total' | 'rides request --payment-token' | 'rides request --fields' | 'rides request --query' | 'rides request --idempotency-key') ;;
    'rides request --tier') values='economy comfort xl premium accessible' ;;
    'rides request --pay') values='card wallet cash' ;;
    'rides request --scenario') values='happy no_driver driver_cancels rider_no_show' ;;
    'rides track --fields' | 'rides track --query') ;;
    'rides list --status') values='scheduled processing accepted arriving arrived in_progress completed cancelled no_drivers_available' ;;
    'rides list --created-from' | 'rides list --created-to' | 'rides list --fields' | 'rides list --query' | 'rides list --limit' | 'rides list --cursor') ;;
    'rides show --fields' | 'rides show --query') ;;
    'rides cancel --reason') values='changed_plans long_wait wrong_pickup driver_request other' ;;
    'rides cancel --note' | 'rides cancel --fields' | 'rides cancel --query' | 'rides cancel --idempotency-key') ;;
    'delivery quote --from' | 'delivery quote --to') values='@place' ;;
    'delivery quote --what' | 'delivery quote --weight' | 'delivery quote --value' | 'delivery quote --ready' | 'delivery quote --fields' | 'delivery quote --query') ;;
    'delivery quote --size') values='small medium large xl' ;;
    'delivery quote --vehicle') values='walker bicycle motorbike car van' ;;
    'delivery request --from' | 'delivery request --to') values='@place' ;;
    'delivery request --what' | 'delivery request --weight' | 'delivery request --value' | 'delivery request --ready' | 'delivery request --from-name' | 'delivery request --from-phone' | 'delivery request --from-notes' | 'delivery request --to-name' | 'delivery request --to-phone' | 'delivery request --to-notes' | 'delivery request --reference' | 'delivery request --quote-id' | 'delivery request --max-total' | 'delivery request --expected-total' | 'delivery request --payment-token' | 'delivery request --fields' | 'delivery request --query' | 'delivery request --idempotency-key') ;;
    'delivery request --size') values='small medium large xl' ;;
    'delivery request --vehicle') values='walker bicycle motorbike car van' ;;
    'delivery request --proof') values='photo signature pincode' ;;
    'delivery request --pay') values='card wallet cash' ;;
    'delivery request --scenario') values='happy no_courier courier_cancels courier_delay undeliverable' ;;
    'delivery show --save' | 'delivery show --fields' | 'delivery show --query') ;;
    'delivery show --show') values='auto kitty iterm2 never' ;;
    'delivery track --fields' | 'delivery track --query') ;;
    'carrier coverage --postal-code' | 'carrier coverage --country' | 'carrier coverage --latitude' | 'carrier coverage --longitude' | 'carrier coverage --fields' | 'carrier coverage --query') ;;
    'carrier coverage --service') values='same_day next_day two_day economy' ;;
    'carrier coverage --point') values='@place' ;;
    'carrier rates --to-postal-code' | 'carrier rates --to-country' | 'carrier rates --to-city' | 'carrier rates --weight' | 'carrier rates --length' | 'carrier rates --width' | 'carrier rates --height' | 'carrier rates --declared-value-amount' | 'carrier rates --declared-value-currency' | 'carrier rates --declared-value' | 'carrier rates --fields' | 'carrier rates --query' | 'carrier rates --limit' | 'carrier rates --cursor') ;;
    'carrier rates --from-hub') values='@hub' ;;
    'carrier rates --service') values='same_day next_day two_day economy' ;;
    'carrier hubs --postal-code' | 'carrier hubs --country' | 'carrier hubs --fields' | 'carrier hubs --query' | 'carrier hubs --limit' | 'carrier hubs --cursor') ;;
    'carrier create --to-name' | 'carrier create --to-phone' | 'carrier create --to-email' | 'carrier create --to-line1' | 'carrier create --to-line2' | 'carrier create --to-city' | 'carrier create --to-region' | 'carrier create --to-postal-code' | 'carrier create --to-country' | 'carrier create --to-latitude' | 'carrier create --to-longitude' | 'carrier create --instructions' | 'carrier create --to-company' | 'carrier create --weight' | 'carrier create --length' | 'carrier create --width' | 'carrier create --height' | 'carrier create --description' | 'carrier create --declared-value' | 'carrier create --from-name' | 'carrier create --from-phone' | 'carrier create --from-email' | 'carrier create --from-line1' | 'carrier create --from-line2' | 'carrier create --from-city' | 'carrier create --from-region' | 'carrier create --from-postal-code' | 'carrier create --from-country' | 'carrier create --from-latitude' | 'carrier create --from-longitude' | 'carrier create --from-notes' | 'carrier create --from-company' | 'carrier create --reference' | 'carrier create --safe-place' | 'carrier create --cash-on-delivery' | 'carrier create --not-before' | 'carrier create --max-total' | 'carrier create --fields' | 'carrier create --query' | 'carrier create --idempotency-key') ;;
    'carrier create --contents') values='documents merchandise gift return' ;;
    'carrier create --service') values='same_day next_day two_day economy' ;;
    'carrier create --hub') values='@hub' ;;
    'carrier create --scenario') values='happy attempt_fails lost damaged delayed returned' ;;
    'carrier upload --default' | 'carrier upload --reference-prefix' | 'carrier upload --map' | 'carrier upload --map-value' | 'carrier upload --save-map' | 'carrier upload --include' | 'carrier upload --encoding' | 'carrier upload --sheet' | 'carrier upload --max-total' | 'carrier upload --manifest-reference' | 'carrier upload --fields' | 'carrier upload --query' | 'carrier upload --idempotency-key') ;;
    'carrier upload --service' | 'carrier upload --fallback-service') values='same_day next_day two_day economy' ;;
    'carrier upload --hub') values='@hub' ;;
    'carrier upload --results' | 'carrier upload --labels') values='@file' ;;
    'carrier upload --use-map') values='@map' ;;
    'carrier upload --weight-unit') values='g kg oz lb' ;;
    'carrier upload --length-unit') values='mm cm m in' ;;
    'carrier upload --delimiter') values='comma semicolon tab pipe' ;;
    'carrier upload --scenario') values='happy attempt_fails lost damaged delayed returned' ;;
    'carrier template --fields' | 'carrier template --query') ;;
    'carrier list --status') values='pre_transit in_transit out_for_delivery delivery_attempted available_for_pickup delivered returning returned lost cancelled' ;;
    'carrier list --service') values='same_day next_day two_day economy' ;;
    'carrier list --reference' | 'carrier list --created-from' | 'carrier list --created-to' | 'carrier list --delivered-from' | 'carrier list --delivered-to' | 'carrier list --fields' | 'carrier list --query' | 'carrier list --limit' | 'carrier list --cursor') ;;
    'carrier list --batch') values='@batch_id' ;;
    'carrier show --save' | 'carrier show --fields' | 'carrier show --query') ;;
    'carrier show --show') values='auto kitty iterm2 never' ;;
    'carrier events --fields' | 'carrier events --query' | 'carrier events --limit' | 'carrier events --cursor') ;;
    'carrier track --batch') values='@batch_id' ;;
    'carrier track --manifest') values='@file' ;;
    'carrier track --fields' | 'carrier track --query') ;;
    'carrier cancel --reason') values='order_cancelled address_wrong duplicate lost_stock other' ;;
    'carrier cancel --note' | 'carrier cancel --fields' | 'carrier cancel --query' | 'carrier cancel --idempotency-key') ;;
    'carrier handover --hub') values='@hub' ;;
    'carrier handover --date' | 'carrier handover --printer' | 'carrier handover --fields' | 'carrier handover --query') ;;
    'carrier handover --format') values='pdf csv' ;;
    'carrier handover --out') values='@file' ;;
    'carrier label --format') values='pdf zpl png' ;;
    'carrier label --size') values='4x6 a6 a4' ;;
    'carrier label --start') values='1 2 3 4' ;;
    'carrier label --dpi') values='203 300' ;;
    'carrier label --batch') values='@batch_id' ;;
    'carrier label --manifest' | 'carrier label --out') values='@file' ;;
    'carrier label --status') values='pre_transit in_transit out_for_delivery delivery_attempted available_for_pickup delivered returning returned lost cancelled' ;;
    'carrier label --printer' | 'carrier label --fields' | 'carrier label --query') ;;
    'carrier report --from' | 'carrier report --to' | 'carrier report --timezone' | 'carrier report --currency' | 'carrier report --fields' | 'carrier report --query') ;;
    'carrier report --html') values='@file' ;;
    'services providers --latitude' | 'services providers --longitude' | 'services providers --service' | 'services providers --date' | 'services providers --duration' | 'services providers --fields' | 'services providers --query' | 'services providers --limit' | 'services providers --cursor') ;;
    'services providers --category') values='cleaning plumbing electrical handyman gardening beauty pet_care tutoring' ;;
    'services providers --sort') values='distance rating price soonest' ;;
    'services providers --near') values='@place' ;;
    'services slots --service' | 'services slots --duration' | 'services slots --date' | 'services slots --days' | 'services slots --fields' | 'services slots --query') ;;
    'services slots --near') values='@place' ;;
    'services quote --service' | 'services quote --duration' | 'services quote --at' | 'services quote --notes' | 'services quote --fields' | 'services quote --query') ;;
    'services quote --to' | 'services quote --near') values='@place' ;;
    'services book --service' | 'services book --duration' | 'services book --at' | 'services book --notes' | 'services book --window' | 'services book --name' | 'services book --phone' | 'services book --access' | 'services book --quote-id' | 'services book --max-total' | 'services book --expected-total' | 'services book --payment-token' | 'services book --fields' | 'services book --query' | 'services book --idempotency-key') ;;
    'services book --to' | 'services book --near') values='@place' ;;
    'services book --pay') values='card wallet' ;;
    'services book --scenario') values='happy provider_declines provider_cancels customer_no_show' ;;
    'services show --fields' | 'services show --query') ;;
    'services track --fields' | 'services track --query') ;;
    'tasks types --latitude' | 'tasks types --longitude' | 'tasks types --fields' | 'tasks types --query' | 'tasks types --limit' | 'tasks types --cursor') ;;
    'tasks types --category') values='verification errand retail_audit inspection queueing pickup' ;;
    'tasks types --near') values='@place' ;;
    'tasks quote --to') values='@place' ;;
    'tasks quote --window' | 'tasks quote --duration' | 'tasks quote --require' | 'tasks quote --rule' | 'tasks quote --fields' | 'tasks quote --query') ;;
    'tasks quote --requirements' | 'tasks quote --rules') values='@file' ;;
    'tasks create --quote-id' | 'tasks create --max-total' | 'tasks create --expected-total' | 'tasks create --window' | 'tasks create --duration' | 'tasks create --require' | 'tasks create --rule' | 'tasks create --instructions' | 'tasks create --name' | 'tasks create --phone' | 'tasks create --payment-token' | 'tasks create --fields' | 'tasks create --query' | 'tasks create --idempotency-key') ;;
    'tasks create --to') values='@place' ;;
    'tasks create --requirements' | 'tasks create --rules') values='@file' ;;
    'tasks create --pay') values='card wallet' ;;
    'tasks create --scenario') values='happy no_provider provider_cancels bad_evidence task_fails' ;;
    'tasks show --fields' | 'tasks show --query') ;;
    'tasks evidence --requirement' | 'tasks evidence --save' | 'tasks evidence --fields' | 'tasks evidence --query') ;;
    'tasks evidence --kind') values='photo checklist signature reading' ;;
    'tasks evidence --show') values='auto kitty iterm2 never' ;;
    'tasks track --fields' | 'tasks track --query') ;;
    'tasks cancel --reason') values='no_longer_needed wrong_details too_slow other' ;;
    'tasks cancel --note' | 'tasks cancel --fields' | 'tasks cancel --query' | 'tasks cancel --idempotency-key') ;;
    'business orders list --status') values='placed accepted preparing ready out_for_delivery completed rejected cancelled failed' ;;
    'business orders list --fulfillment') values='delivery pickup dine_in' ;;
    'business orders list --payment') values='unpaid paid partially_refunded refund_pending refunded failed' ;;
    'business orders list --created-from' | 'business orders list --created-to' | 'business orders list --fields' | 'business orders list --query' | 'business orders list --limit' | 'business orders list --cursor') ;;
    'business orders list --merchant') values='@merchant_id' ;;
    'business orders show --merchant') values='@merchant_id' ;;
    'business orders show --fields' | 'business orders show --query') ;;
    'business orders accept --prep-time' | 'business orders accept --note' | 'business orders accept --fields' | 'business orders accept --query' | 'business orders accept --idempotency-key') ;;
    'business orders accept --merchant') values='@merchant_id' ;;
    'business orders reject --reason') values='item_unavailable store_closed too_busy cannot_fulfil_note price_error other' ;;
    'business orders reject --item') values='@item_id' ;;
    'business orders reject --note' | 'business orders reject --fields' | 'business orders reject --query' | 'business orders reject --idempotency-key') ;;
    'business orders reject --merchant') values='@merchant_id' ;;
    'business orders prepare --prep-time' | 'business orders prepare --note' | 'business orders prepare --fields' | 'business orders prepare --query' | 'business orders prepare --idempotency-key') ;;
    'business orders prepare --merchant') values='@merchant_id' ;;
    'business orders ready --instructions' | 'business orders ready --note' | 'business orders ready --fields' | 'business orders ready --query' | 'business orders ready --idempotency-key') ;;
    'business orders ready --merchant') values='@merchant_id' ;;
    'business orders complete --collected-by' | 'business orders complete --note' | 'business orders complete --fields' | 'business orders complete --query' | 'business orders complete --idempotency-key') ;;
    'business orders complete --merchant') values='@merchant_id' ;;
    'business orders watch --merchant') values='@merchant_id' ;;
    'business orders watch --fields' | 'business orders watch --query') ;;
    'business catalog list --category' | 'business catalog list --q' | 'business catalog list --updated-since' | 'business catalog list --fields' | 'business catalog list --query' | 'business catalog list --limit' | 'business catalog list --cursor') ;;
    'business catalog list --merchant') values='@merchant_id' ;;
    'business catalog create --name' | 'business catalog create --description' | 'business catalog create --price' | 'business catalog create --category' | 'business catalog create --modifiers' | 'business catalog create --until' | 'business catalog create --dietary-tags' | 'business catalog create --allergens' | 'business catalog create --image' | 'business catalog create --sku' | 'business catalog create --ref' | 'business catalog create --barcode' | 'business catalog create --cost' | 'business catalog create --stock' | 'business catalog create --supplier' | 'business catalog create --tax-bps' | 'business catalog create --sort' | 'business catalog create --category-sort' | 'business catalog create --fields' | 'business catalog create --query' | 'business catalog create --idempotency-key') ;;
    'business catalog create --reason') values='sold_out seasonal equipment other' ;;
    'business catalog create --merchant') values='@merchant_id' ;;
    'business catalog update --name' | 'business catalog update --description' | 'business catalog update --price' | 'business catalog update --category' | 'business catalog update --modifiers' | 'business catalog update --if-version' | 'business catalog update --fields' | 'business catalog update --query' | 'business catalog update --idempotency-key') ;;
    'business catalog available --until' | 'business catalog available --if-version' | 'business catalog available --fields' | 'business catalog available --query' | 'business catalog available --idempotency-key') ;;
    'business catalog available --reason') values='sold_out seasonal equipment other' ;;
    'business catalog delete --fields' | 'business catalog delete --query' | 'business catalog delete --idempotency-key') ;;
    'business catalog import --merchant') values='@merchant_id' ;;
    'business catalog import --category' | 'business catalog import --currency' | 'business catalog import --default' | 'business catalog import --map' | 'business catalog import --map-value' | 'business catalog import --save-map' | 'business catalog import --encoding' | 'business catalog import --sheet' | 'business catalog import --fields' | 'business catalog import --query' | 'business catalog import --idempotency-key') ;;
    'business catalog import --results') values='@file' ;;
    'business catalog import --use-map') values='@map' ;;
    'business catalog import --delimiter') values='comma semicolon tab pipe' ;;
    'business catalog export --format') values='csv json' ;;
    'business catalog export --merchant') values='@merchant_id' ;;
    'business catalog export --fields' | 'business catalog export --query') ;;
    'business catalog history --fields' | 'business catalog history --query' | 'business catalog history --limit') ;;
    'business catalog template --fields' | 'business catalog template --query') ;;
    'business catalog undo --to' | 'business catalog undo --fields' | 'business catalog undo --query' | 'business catalog undo --idempotency-key') ;;
    'business report --from' | 'business report --to' | 'business report --timezone' | 'business report --currency' | 'business report --fields' | 'business report --query') ;;
    'business report --html') values='@file' ;;
    'business report --merchant') values='@merchant_id' ;;
    'sandbox status --fields' | 'sandbox status --query') ;;
    'sandbox clock show --fields' | 'sandbox clock show --query') ;;
    'sandbox clock set --mode') values='real frozen scaled offset' ;;
    'sandbox clock set --factor' | 'sandbox clock set --fields' | 'sandbox clock set --query') ;;
    'sandbox clock freeze --at' | 'sandbox clock freeze --fields' | 'sandbox clock freeze --query') ;;
    'sandbox clock advance --to' | 'sandbox clock advance --fields' | 'sandbox clock advance --query') ;;
    'sandbox clock run --factor' | 'sandbox clock run --fields' | 'sandbox clock run --query') ;;
    'sandbox supply --fields' | 'sandbox supply --query') ;;
    'sandbox account list --fields' | 'sandbox account list --query') ;;
    'sandbox account add --name' | 'sandbox account add --scope' | 'sandbox account add --fields' | 'sandbox account add --query') ;;
    'sandbox account add --membership') values='none active trialing' ;;
    'sandbox account membership --plan') values='one_monthly one_yearly' ;;
    'sandbox account membership --renewal') values='paid fails' ;;
    'sandbox account membership --fields' | 'sandbox account membership --query') ;;
    'sandbox account wallet --fields' | 'sandbox account wallet --query') ;;
    'sandbox account token --scope' | 'sandbox account token --expires-in' | 'sandbox account token --fields' | 'sandbox account token --query') ;;
    'sandbox account client --scope' | 'sandbox account client --fields' | 'sandbox account client --query') ;;
    'sandbox approve --account') values='@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain' ;;
    'sandbox approve --fields' | 'sandbox approve --query') ;;
    'sandbox settle --fields' | 'sandbox settle --query') ;;
    'sandbox check open --fields' | 'sandbox check open --query') ;;
    'sandbox check settle --fields' | 'sandbox check settle --query') ;;
    'sandbox scan --hub') values='@hub' ;;
    'sandbox scan --reason') values='recipient_unavailable business_closed refused address_incorrect address_not_found access_denied damaged missorted weather vehicle_breakdown future_delivery_requested cod_not_available customs_hold id_check_failed unsafe_location holiday_closure other' ;;
    'sandbox scan --detail' | 'sandbox scan --fields' | 'sandbox scan --query') ;;
    'sandbox step --fields' | 'sandbox step --query') ;;
    'sandbox snapshot save --fields' | 'sandbox snapshot save --query') ;;
    'sandbox snapshot load --fields' | 'sandbox snapshot load --query') ;;
    'sandbox snapshot list --fields' | 'sandbox snapshot list --query') ;;
    'sandbox backup --fields' | 'sandbox backup --query') ;;
    'sandbox restore --fields' | 'sandbox restore --query') ;;
    'sandbox log --operation' | 'sandbox log --status' | 'sandbox log --slower' | 'sandbox log --fields' | 'sandbox log --query' | 'sandbox log --limit') ;;
    'sandbox log --account') values='@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain' ;;
    'sandbox events --fields' | 'sandbox events --query' | 'sandbox events --limit' | 'sandbox events --cursor') ;;
    'sandbox reset --seed' | 'sandbox reset --at' | 'sandbox reset --fields' | 'sandbox reset --query') ;;
    'scenario run --seed' | 'scenario run --set' | 'scenario run --fields' | 'scenario run --query') ;;
    'scenario run --junit') values='@file' ;;
    'profile list --fields' | 'profile list --query') ;;
    'profile add --base-url' | 'profile add --route-engine' | 'profile add --default-parcel' | 'profile add --fields' | 'profile add --query') ;;
    'profile add --store') values='@file' ;;
    'profile add --account') values='@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain' ;;
    'profile add --pay') values='card wallet cash table' ;;
    'profile add --default-output') values='table json ndjson csv yaml' ;;
    'profile use --fields' | 'profile use --query') ;;
    'profile show --fields' | 'profile show --query') ;;
    'profile bind --fields' | 'profile bind --query') ;;
    'profile remove --fields' | 'profile remove --query') ;;
    'intents list --fields' | 'intents list --query') ;;
    'intents show --fields' | 'intents show --query') ;;
    'intents resolve --fields' | 'intents resolve --query') ;;
    'open --fields' | 'open --query') ;;
    'status --fields' | 'status --query') ;;
    'recent --fields' | 'recent --query' | 'recent --limit') ;;
    'doctor --fields' | 'doctor --query') ;;
    'approve --max-total' | 'approve --fields' | 'approve --query') ;;
    'approve --tier') values='economy comfort xl premium accessible' ;;
    'login --scope' | 'login --client-id' | 'login --fields' | 'login --query') ;;
    'login --token-file' | 'login --client-secret-file') values='@file' ;;
    'login --account') values='@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain' ;;
    'logout --fields' | 'logout --query') ;;
    'whoami --fields' | 'whoami --query') ;;
    'serve --host' | 'serve --port' | 'serve --allowed-host' | 'serve --trusted-proxy' | 'serve --keep-alive' | 'serve --route-engine' | 'serve --rate-limit' | 'serve --spend-limit' | 'serve --cluster' | 'serve --metrics' | 'serve --operation' | 'serve --status' | 'serve --slower') ;;
    'serve --log') values='@file' ;;
    'serve --account') values='@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain' ;;
    'openapi --fields' | 'openapi --query') ;;
    'mcp --toolsets' | 'mcp --tools' | 'mcp --exclude' | 'mcp --max-spend' | 'mcp --rate-limit' | 'mcp --spend-limit' | 'mcp --host' | 'mcp --port' | 'mcp --allowed-host' | 'mcp --trusted-proxy' | 'mcp --keep-alive' | 'mcp --fields' | 'mcp --query') ;;
    'mcp --audit' | 'mcp --log') values='@file' ;;
    'mcp install --toolsets' | 'mcp install --max-spend' | 'mcp install --name' | 'mcp install --fields' | 'mcp install --query') ;;
    'mcp install --file') values='@file' ;;
    'api --input') values='@file' ;;
    'api --fields' | 'api --query') ;;
    'share --fields' | 'share --query') ;;
    'completion install --fields' | 'completion install --query') ;;
    'completion uninstall --fields' | 'completion uninstall --query') ;;
    'api get_membership_status --input') values='@file' ;;
    'api get_membership_status --fields' | 'api get_membership_status --query') ;;
    'api search_restaurants --q' | 'api search_restaurants --latitude' | 'api search_restaurants --longitude' | 'api search_restaurants --radius' | 'api search_restaurants --cuisine' | 'api search_restaurants --fields' | 'api search_restaurants --query' | 'api search_restaurants --limit' | 'api search_restaurants --cursor') ;;
    'api search_restaurants --kind') values='restaurant grocery shop' ;;
    'api search_restaurants --fulfillment') values='delivery pickup dine_in' ;;
    'api search_restaurants --sort') values='distance rating eta' ;;
    'api search_restaurants --near') values='@place' ;;
    'api search_restaurants --input') values='@file' ;;
    'api get_restaurant_menu --merchant-id' | 'api get_restaurant_menu --category' | 'api get_restaurant_menu --fields' | 'api get_restaurant_menu --query') ;;
    'api get_restaurant_menu --input') values='@file' ;;
    'api quote_food_order --merchant-id' | 'api quote_food_order --items' | 'api quote_food_order --dropoff-address-line1' | 'api quote_food_order --dropoff-address-line2' | 'api quote_food_order --dropoff-address-city' | 'api quote_food_order --dropoff-address-region' | 'api quote_food_order --dropoff-address-postal-code' | 'api quote_food_order --dropoff-address-country-code' | 'api quote_food_order --dropoff-address-location-latitude' | 'api quote_food_order --dropoff-address-location-longitude' | 'api quote_food_order --dropoff-address-access-notes' | 'api quote_food_order --dropoff-location-latitude' | 'api quote_food_order --dropoff-location-longitude' | 'api quote_food_order --dropoff-name' | 'api quote_food_order --table-table-number' | 'api quote_food_order --table-party-size' | 'api quote_food_order --scheduled-for' | 'api quote_food_order --tip' | 'api quote_food_order --fields' | 'api quote_food_order --query') ;;
    'api quote_food_order --fulfillment-type') values='delivery pickup dine_in' ;;
    'api quote_food_order --dropoff-precision') values='exact street postcode district' ;;
    'api quote_food_order --input') values='@file' ;;
    'api place_food_order --quote-id' | 'api place_food_order --payment-payment-token' | 'api place_food_order --contact-name' | 'api place_food_order --contact-phone' | 'api place_food_order --contact-email' | 'api place_food_order --notes' | 'api place_food_order --expected-total' | 'api place_food_order --max-total' | 'api place_food_order --fields' | 'api place_food_order --query' | 'api place_food_order --scenario' | 'api place_food_order --idempotency-key') ;;
    'api place_food_order --payment-method') values='card wallet cash pay_at_table' ;;
    'api place_food_order --input') values='@file' ;;
    'api get_food_order --order-id' | 'api get_food_order --fields' | 'api get_food_order --query') ;;
    'api get_food_order --input') values='@file' ;;
    'api list_food_orders --status') values='placed accepted preparing ready out_for_delivery completed rejected cancelled failed' ;;
    'api list_food_orders --merchant') values='@merchant_id' ;;
    'api list_food_orders --created-from' | 'api list_food_orders --created-to' | 'api list_food_orders --fields' | 'api list_food_orders --query' | 'api list_food_orders --limit' | 'api list_food_orders --cursor') ;;
    'api list_food_orders --input') values='@file' ;;
    'api cancel_food_order --order-id' | 'api cancel_food_order --note' | 'api cancel_food_order --fields' | 'api cancel_food_order --query' | 'api cancel_food_order --idempotency-key') ;;
    'api cancel_food_order --reason') values='changed_mind ordered_by_mistake taking_too_long wrong_address other' ;;
    'api cancel_food_order --input') values='@file' ;;
    'api search_ride_options --latitude' | 'api search_ride_options --longitude' | 'api search_ride_options --passengers' | 'api search_ride_options --fields' | 'api search_ride_options --query' | 'api search_ride_options --limit' | 'api search_ride_options --cursor') ;;
    'api search_ride_options --near') values='@place' ;;
    'api search_ride_options --input') values='@file' ;;
    'api quote_ride --pickup-address-line1' | 'api quote_ride --pickup-address-line2' | 'api quote_ride --pickup-address-city' | 'api quote_ride --pickup-address-region' | 'api quote_ride --pickup-address-postal-code' | 'api quote_ride --pickup-address-country-code' | 'api quote_ride --pickup-address-location-latitude' | 'api quote_ride --pickup-address-location-longitude' | 'api quote_ride --pickup-address-access-notes' | 'api quote_ride --pickup-location-latitude' | 'api quote_ride --pickup-location-longitude' | 'api quote_ride --pickup-name' | 'api quote_ride --dropoff-address-line1' | 'api quote_ride --dropoff-address-line2' | 'api quote_ride --dropoff-address-city' | 'api quote_ride --dropoff-address-region' | 'api quote_ride --dropoff-address-postal-code' | 'api quote_ride --dropoff-address-country-code' | 'api quote_ride --dropoff-address-location-latitude' | 'api quote_ride --dropoff-address-location-longitude' | 'api quote_ride --dropoff-address-access-notes' | 'api quote_ride --dropoff-location-latitude' | 'api quote_ride --dropoff-location-longitude' | 'api quote_ride --dropoff-name' | 'api quote_ride --stops' | 'api quote_ride --passengers' | 'api quote_ride --scheduled-for' | 'api quote_ride --fields' | 'api quote_ride --query' | 'api quote_ride --scenario') ;;
    'api quote_ride --pickup-precision' | 'api quote_ride --dropoff-precision') values='exact street postcode district' ;;
    'api quote_ride --input') values='@file' ;;
    'api request_ride --quote-id' | 'api request_ride --passenger-name' | 'api request_ride --passenger-phone' | 'api request_ride --passenger-email' | 'api request_ride --passenger-count' | 'api request_ride --notes' | 'api request_ride --payment-payment-token' | 'api request_ride --expected-total' | 'api request_ride --max-total' | 'api request_ride --fields' | 'api request_ride --query' | 'api request_ride --scenario' | 'api request_ride --idempotency-key') ;;
    'api request_ride --tier') values='economy comfort xl premium accessible' ;;
    'api request_ride --payment-method') values='card wallet cash' ;;
    'api request_ride --input') values='@file' ;;
    'api get_ride --ride-id' | 'api get_ride --fields' | 'api get_ride --query') ;;
    'api get_ride --input') values='@file' ;;
    'api list_rides --status') values='scheduled processing accepted arriving arrived in_progress completed cancelled no_drivers_available' ;;
    'api list_rides --created-from' | 'api list_rides --created-to' | 'api list_rides --fields' | 'api list_rides --query' | 'api list_rides --limit' | 'api list_rides --cursor') ;;
    'api list_rides --input') values='@file' ;;
    'api cancel_ride --ride-id' | 'api cancel_ride --note' | 'api cancel_ride --fields' | 'api cancel_ride --query' | 'api cancel_ride --idempotency-key') ;;
    'api cancel_ride --reason') values='changed_plans long_wait wrong_pickup driver_request other' ;;
    'api cancel_ride --input') values='@file' ;;
    'api quote_delivery --pickup-address-line1' | 'api quote_delivery --pickup-address-line2' | 'api quote_delivery --pickup-address-city' | 'api quote_delivery --pickup-address-region' | 'api quote_delivery --pickup-address-postal-code' | 'api quote_delivery --pickup-address-country-code' | 'api quote_delivery --pickup-address-location-latitude' | 'api quote_delivery --pickup-address-location-longitude' | 'api quote_delivery --pickup-address-access-notes' | 'api quote_delivery --pickup-location-latitude' | 'api quote_delivery --pickup-location-longitude' | 'api quote_delivery --pickup-name' | 'api quote_delivery --dropoff-address-line1' | 'api quote_delivery --dropoff-address-line2' | 'api quote_delivery --dropoff-address-city' | 'api quote_delivery --dropoff-address-region' | 'api quote_delivery --dropoff-address-postal-code' | 'api quote_delivery --dropoff-address-country-code' | 'api quote_delivery --dropoff-address-location-latitude' | 'api quote_delivery --dropoff-address-location-longitude' | 'api quote_delivery --dropoff-address-access-notes' | 'api quote_delivery --dropoff-location-latitude' | 'api quote_delivery --dropoff-location-longitude' | 'api quote_delivery --dropoff-name' | 'api quote_delivery --parcel-weight-grams' | 'api quote_delivery --parcel-description' | 'api quote_delivery --parcel-value' | 'api quote_delivery --pickup-ready-at' | 'api quote_delivery --fields' | 'api quote_delivery --query') ;;
    'api quote_delivery --pickup-precision' | 'api quote_delivery --dropoff-precision') values='exact street postcode district' ;;
    'api quote_delivery --parcel-size') values='small medium large xl' ;;
    'api quote_delivery --vehicle-type') values='walker bicycle motorbike car van' ;;
    'api quote_delivery --input') values='@file' ;;
    'api request_delivery --quote-id' | 'api request_delivery --pickup-contact-name' | 'api request_delivery --pickup-contact-phone' | 'api request_delivery --pickup-contact-email' | 'api request_delivery --dropoff-contact-name' | 'api request_delivery --dropoff-contact-phone' | 'api request_delivery --dropoff-contact-email' | 'api request_delivery --pickup-notes' | 'api request_delivery --dropoff-notes' | 'api request_delivery --payment-payment-token' | 'api request_delivery --external-reference' | 'api request_delivery --expected-total' | 'api request_delivery --max-total' | 'api request_delivery --fields' | 'api request_delivery --query' | 'api request_delivery --scenario' | 'api request_delivery --idempotency-key') ;;
    'api request_delivery --verification-dropoff') values='photo signature pincode' ;;
    'api request_delivery --payment-method') values='card wallet cash pay_at_table' ;;
    'api request_delivery --input') values='@file' ;;
    'api get_delivery --delivery-id' | 'api get_delivery --fields' | 'api get_delivery --query') ;;
    'api get_delivery --input') values='@file' ;;
    'api check_coverage --postal-code' | 'api check_coverage --country' | 'api check_coverage --latitude' | 'api check_coverage --longitude' | 'api check_coverage --fields' | 'api check_coverage --query') ;;
    'api check_coverage --service') values='same_day next_day two_day economy' ;;
    'api check_coverage --point') values='@place' ;;
    'api check_coverage --input') values='@file' ;;
    'api quote_rates --to-postal-code' | 'api quote_rates --to-country' | 'api quote_rates --to-city' | 'api quote_rates --weight' | 'api quote_rates --length' | 'api quote_rates --width' | 'api quote_rates --height' | 'api quote_rates --declared-value-amount' | 'api quote_rates --declared-value-currency' | 'api quote_rates --declared-value' | 'api quote_rates --fields' | 'api quote_rates --query' | 'api quote_rates --limit' | 'api quote_rates --cursor') ;;
    'api quote_rates --from-hub') values='@hub' ;;
    'api quote_rates --service') values='same_day next_day two_day economy' ;;
    'api quote_rates --input') values='@file' ;;
    'api create_shipment --to-name' | 'api create_shipment --to-phone' | 'api create_shipment --to-email' | 'api create_shipment --to-line1' | 'api create_shipment --to-line2' | 'api create_shipment --to-city' | 'api create_shipment --to-region' | 'api create_shipment --to-postal-code' | 'api create_shipment --to-country' | 'api create_shipment --to-latitude' | 'api create_shipment --to-longitude' | 'api create_shipment --instructions' | 'api create_shipment --to-company' | 'api create_shipment --weight' | 'api create_shipment --length' | 'api create_shipment --width' | 'api create_shipment --height' | 'api create_shipment --description' | 'api create_shipment --declared-value' | 'api create_shipment --from-name' | 'api create_shipment --from-phone' | 'api create_shipment --from-email' | 'api create_shipment --from-line1' | 'api create_shipment --from-line2' | 'api create_shipment --from-city' | 'api create_shipment --from-region' | 'api create_shipment --from-postal-code' | 'api create_shipment --from-country' | 'api create_shipment --from-latitude' | 'api create_shipment --from-longitude' | 'api create_shipment --from-notes' | 'api create_shipment --from-company' | 'api create_shipment --reference' | 'api create_shipment --safe-place' | 'api create_shipment --cash-on-delivery' | 'api create_shipment --not-before' | 'api create_shipment --max-total' | 'api create_shipment --fields' | 'api create_shipment --query' | 'api create_shipment --scenario' | 'api create_shipment --idempotency-key') ;;
    'api create_shipment --contents') values='documents merchandise gift return' ;;
    'api create_shipment --service') values='same_day next_day two_day economy' ;;
    'api create_shipment --hub') values='@hub' ;;
    'api create_shipment --input') values='@file' ;;
    'api create_shipments_batch --shipments' | 'api create_shipments_batch --manifest-reference' | 'api create_shipments_batch --default-hub-id' | 'api create_shipments_batch --max-total' | 'api create_shipments_batch --fields' | 'api create_shipments_batch --query' | 'api create_shipments_batch --scenario' | 'api create_shipments_batch --idempotency-key') ;;
    'api create_shipments_batch --default-service-level') values='same_day next_day two_day economy' ;;
    'api create_shipments_batch --on-cancelled') values='create skip' ;;
    'api create_shipments_batch --results') values='all problems' ;;
    'api create_shipments_batch --input') values='@file' ;;
    'api get_shipment --tracking-number' | 'api get_shipment --fields' | 'api get_shipment --query') ;;
    'api get_shipment --input') values='@file' ;;
    'api list_shipments --status') values='pre_transit in_transit out_for_delivery delivery_attempted available_for_pickup delivered returning returned lost cancelled' ;;
    'api list_shipments --service') values='same_day next_day two_day economy' ;;
    'api list_shipments --reference' | 'api list_shipments --created-from' | 'api list_shipments --created-to' | 'api list_shipments --delivered-from' | 'api list_shipments --delivered-to' | 'api list_shipments --fields' | 'api list_shipments --query' | 'api list_shipments --limit' | 'api list_shipments --cursor') ;;
    'api list_shipments --batch') values='@batch_id' ;;
    'api list_shipments --input') values='@file' ;;
    'api cancel_shipment --tracking-number' | 'api cancel_shipment --note' | 'api cancel_shipment --fields' | 'api cancel_shipment --query' | 'api cancel_shipment --idempotency-key') ;;
    'api cancel_shipment --reason') values='order_cancelled address_wrong duplicate lost_stock other' ;;
    'api cancel_shipment --input') values='@file' ;;
    'api list_shipment_events --tracking-number' | 'api list_shipment_events --fields' | 'api list_shipment_events --query' | 'api list_shipment_events --limit' | 'api list_shipment_events --cursor') ;;
    'api list_shipment_events --input') values='@file' ;;
    'api list_hubs --postal-code' | 'api list_hubs --country' | 'api list_hubs --fields' | 'api list_hubs --query' | 'api list_hubs --limit' | 'api list_hubs --cursor') ;;
    'api list_hubs --input') values='@file' ;;
    'api search_service_providers --q' | 'api search_service_providers --latitude' | 'api search_service_providers --longitude' | 'api search_service_providers --service' | 'api search_service_providers --date' | 'api search_service_providers --duration' | 'api search_service_providers --fields' | 'api search_service_providers --query' | 'api search_service_providers --limit' | 'api search_service_providers --cursor') ;;
    'api search_service_providers --category') values='cleaning plumbing electrical handyman gardening beauty pet_care tutoring' ;;
    'api search_service_providers --sort') values='distance rating price soonest' ;;
    'api search_service_providers --near') values='@place' ;;
    'api search_service_providers --input') values='@file' ;;
    'api get_provider_availability --provider-id' | 'api get_provider_availability --date' | 'api get_provider_availability --duration-minutes' | 'api get_provider_availability --service-code' | 'api get_provider_availability --days' | 'api get_provider_availability --fields' | 'api get_provider_availability --query' | 'api get_provider_availability --limit' | 'api get_provider_availability --cursor') ;;
    'api get_provider_availability --view') values='starts days' ;;
    'api get_provider_availability --input') values='@file' ;;
    'api quote_service --provider-id' | 'api quote_service --service-code' | 'api quote_service --place-address-line1' | 'api quote_service --place-address-line2' | 'api quote_service --place-address-city' | 'api quote_service --place-address-region' | 'api quote_service --place-address-postal-code' | 'api quote_service --place-address-country-code' | 'api quote_service --place-address-location-latitude' | 'api quote_service --place-address-location-longitude' | 'api quote_service --place-address-access-notes' | 'api quote_service --place-location-latitude' | 'api quote_service --place-location-longitude' | 'api quote_service --place-name' | 'api quote_service --duration-minutes' | 'api quote_service --starts-at' | 'api quote_service --notes' | 'api quote_service --fields' | 'api quote_service --query') ;;
    'api quote_service --place-precision') values='exact street postcode district' ;;
    'api quote_service --input') values='@file' ;;
    'api book_service --quote-id' | 'api book_service --starts-at' | 'api book_service --preferred-window-starts-at' | 'api book_service --preferred-window-ends-at' | 'api book_service --contact-name' | 'api book_service --contact-phone' | 'api book_service --contact-email' | 'api book_service --notes' | 'api book_service --access-notes' | 'api book_service --payment-payment-token' | 'api book_service --expected-total' | 'api book_service --max-total' | 'api book_service --fields' | 'api book_service --query' | 'api book_service --scenario' | 'api book_service --idempotency-key') ;;
    'api book_service --payment-method') values='card wallet cash pay_at_table' ;;
    'api book_service --input') values='@file' ;;
    'api get_service_booking --booking-id' | 'api get_service_booking --fields' | 'api get_service_booking --query') ;;
    'api get_service_booking --input') values='@file' ;;
    'api list_task_types --latitude' | 'api list_task_types --longitude' | 'api list_task_types --fields' | 'api list_task_types --query' | 'api list_task_types --limit' | 'api list_task_types --cursor') ;;
    'api list_task_types --category') values='verification errand retail_audit inspection queueing pickup' ;;
    'api list_task_types --near') values='@place' ;;
    'api list_task_types --input') values='@file' ;;
    'api quote_task --task-type' | 'api quote_task --place-address-line1' | 'api quote_task --place-address-line2' | 'api quote_task --place-address-city' | 'api quote_task --place-address-region' | 'api quote_task --place-address-postal-code' | 'api quote_task --place-address-country-code' | 'api quote_task --place-address-location-latitude' | 'api quote_task --place-address-location-longitude' | 'api quote_task --place-address-access-notes' | 'api quote_task --place-location-latitude' | 'api quote_task --place-location-longitude' | 'api quote_task --place-name' | 'api quote_task --window-starts-at' | 'api quote_task --window-ends-at' | 'api quote_task --requirements' | 'api quote_task --evidence-rules' | 'api quote_task --estimated-minutes' | 'api quote_task --fields' | 'api quote_task --query') ;;
    'api quote_task --place-precision') values='exact street postcode district' ;;
    'api quote_task --urgency') values='standard express' ;;
    'api quote_task --input') values='@file' ;;
    'api create_task --quote-id' | 'api create_task --requirements' | 'api create_task --evidence-rules' | 'api create_task --instructions' | 'api create_task --contact-name' | 'api create_task --contact-phone' | 'api create_task --contact-email' | 'api create_task --payment-payment-token' | 'api create_task --expected-total' | 'api create_task --max-total' | 'api create_task --fields' | 'api create_task --query' | 'api create_task --scenario' | 'api create_task --idempotency-key') ;;
    'api create_task --payment-method') values='card wallet cash pay_at_table' ;;
    'api create_task --input') values='@file' ;;
    'api get_task --task-id' | 'api get_task --fields' | 'api get_task --query') ;;
    'api get_task --input') values='@file' ;;
    'api get_task_evidence --task-id' | 'api get_task_evidence --requirement-id' | 'api get_task_evidence --fields' | 'api get_task_evidence --query') ;;
    'api get_task_evidence --kind') values='photo checklist signature reading' ;;
    'api get_task_evidence --input') values='@file' ;;
    'api cancel_task --task-id' | 'api cancel_task --note' | 'api cancel_task --fields' | 'api cancel_task --query' | 'api cancel_task --idempotency-key') ;;
    'api cancel_task --reason') values='no_longer_needed wrong_details too_slow other' ;;
    'api cancel_task --input') values='@file' ;;
    'api list_business_orders --status') values='placed accepted preparing ready out_for_delivery completed rejected cancelled failed' ;;
    'api list_business_orders --fulfillment') values='delivery pickup dine_in' ;;
    'api list_business_orders --payment') values='unpaid paid partially_refunded refund_pending refunded failed' ;;
    'api list_business_orders --created-from' | 'api list_business_orders --created-to' | 'api list_business_orders --fields' | 'api list_business_orders --query' | 'api list_business_orders --limit' | 'api list_business_orders --cursor') ;;
    'api list_business_orders --merchant') values='@merchant_id' ;;
    'api list_business_orders --input') values='@file' ;;
    'api get_business_order --order-id' | 'api get_business_order --fields' | 'api get_business_order --query') ;;
    'api get_business_order --input') values='@file' ;;
    'api accept_business_order --order-id' | 'api accept_business_order --prep' | 'api accept_business_order --note' | 'api accept_business_order --fields' | 'api accept_business_order --query' | 'api accept_business_order --idempotency-key') ;;
    'api accept_business_order --input') values='@file' ;;
    'api reject_business_order --order-id' | 'api reject_business_order --note' | 'api reject_business_order --fields' | 'api reject_business_order --query' | 'api reject_business_order --idempotency-key') ;;
    'api reject_business_order --reason') values='item_unavailable store_closed too_busy cannot_fulfil_note price_error other' ;;
    'api reject_business_order --item') values='@item_id' ;;
    'api reject_business_order --input') values='@file' ;;
    'api start_business_order_prep --order-id' | 'api start_business_order_prep --prep' | 'api start_business_order_prep --note' | 'api start_business_order_prep --fields' | 'api start_business_order_prep --query' | 'api start_business_order_prep --idempotency-key') ;;
    'api start_business_order_prep --input') values='@file' ;;
    'api mark_business_order_ready --order-id' | 'api mark_business_order_ready --note' | 'api mark_business_order_ready --instructions' | 'api mark_business_order_ready --fields' | 'api mark_business_order_ready --query' | 'api mark_business_order_ready --idempotency-key') ;;
    'api mark_business_order_ready --input') values='@file' ;;
    'api complete_business_order --order-id' | 'api complete_business_order --note' | 'api complete_business_order --collected-by' | 'api complete_business_order --fields' | 'api complete_business_order --query' | 'api complete_business_order --idempotency-key') ;;
    'api complete_business_order --input') values='@file' ;;
    'api list_catalog_items --category' | 'api list_catalog_items --q' | 'api list_catalog_items --updated-since' | 'api list_catalog_items --fields' | 'api list_catalog_items --query' | 'api list_catalog_items --limit' | 'api list_catalog_items --cursor') ;;
    'api list_catalog_items --merchant') values='@merchant_id' ;;
    'api list_catalog_items --input') values='@file' ;;
    'api create_catalog_item --name' | 'api create_catalog_item --description' | 'api create_catalog_item --price' | 'api create_catalog_item --category' | 'api create_catalog_item --modifiers' | 'api create_catalog_item --until' | 'api create_catalog_item --dietary-tags' | 'api create_catalog_item --allergens' | 'api create_catalog_item --image' | 'api create_catalog_item --sku' | 'api create_catalog_item --ref' | 'api create_catalog_item --barcode' | 'api create_catalog_item --cost' | 'api create_catalog_item --stock' | 'api create_catalog_item --supplier' | 'api create_catalog_item --tax-bps' | 'api create_catalog_item --sort' | 'api create_catalog_item --category-sort' | 'api create_catalog_item --fields' | 'api create_catalog_item --query' | 'api create_catalog_item --idempotency-key') ;;
    'api create_catalog_item --reason') values='sold_out seasonal equipment other' ;;
    'api create_catalog_item --merchant') values='@merchant_id' ;;
    'api create_catalog_item --input') values='@file' ;;
    'api update_catalog_item --item-id' | 'api update_catalog_item --name' | 'api update_catalog_item --description' | 'api update_catalog_item --price' | 'api update_catalog_item --category' | 'api update_catalog_item --modifiers' | 'api update_catalog_item --if-version' | 'api update_catalog_item --fields' | 'api update_catalog_item --query' | 'api update_catalog_item --idempotency-key') ;;
    'api update_catalog_item --input') values='@file' ;;
    'api set_catalog_item_availability --item-id' | 'api set_catalog_item_availability --until' | 'api set_catalog_item_availability --if-version' | 'api set_catalog_item_availability --fields' | 'api set_catalog_item_availability --query' | 'api set_catalog_item_availability --idempotency-key') ;;
    'api set_catalog_item_availability --reason') values='sold_out seasonal equipment other' ;;
    'api set_catalog_item_availability --input') values='@file' ;;
    'api delete_catalog_item --item-id' | 'api delete_catalog_item --fields' | 'api delete_catalog_item --query' | 'api delete_catalog_item --idempotency-key') ;;
    'api delete_catalog_item --input') values='@file' ;;
    'api import_catalog_items --items' | 'api import_catalog_items --default-category' | 'api import_catalog_items --default-currency' | 'api import_catalog_items --merchant-id' | 'api import_catalog_items --fields' | 'api import_catalog_items --query' | 'api import_catalog_items --idempotency-key') ;;
    'api import_catalog_items --results') values='all problems' ;;
    'api import_catalog_items --input') values='@file' ;;
    *' --output') values='table json ndjson csv yaml' ;;
    *' --profile') values='@profile' ;;
    *' --base-url' | *' --confirm' | *' --timeout') ;;
    *' --store' | *' --record') values='@file' ;;
    *' --as') values='@handle,everything,member,guest,lapsed,owner,shipper,shipper2,chain' ;;
    *' --color') values='auto always never' ;;
    *) return 1 ;;
  esac
}

# What dray knows of the kind $1 on this machine, for the line $2...: the values without what they are called.
_dray_known() {
  local value
  command dray __complete "$@" 2>/dev/null | while IFS=$'\t' read -r value _; do echo "$value"; done
}

_dray() {
  local names flags places more values
  local words=() word glue='' at='' flag='' ended='' count=0 offer='' prefix='' i
  COMPREPLY=()
  # Bash cuts words at = and : too; here a word is what stands between spaces.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ ${#words[@]} -gt 0 && ( -n $glue || $word == [=:]* ) ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    glue=''
    [[ $word == *[=:] ]] && glue=1
  done
  for ((i = 0; i < ${#words[@]} - 1; i++)); do
    word=${words[i]}
    if [[ -n $flag ]]; then
      flag=''
    elif [[ $word == -- && -z $ended ]]; then
      ended=1
    elif [[ $word == -?* && -z $ended ]]; then
      [[ $word != *=* ]] && _dray_takes "$at" "$word" && flag=$word
    elif _dray_at "${at:+$at }$word"; then
      at=${at:+$at }$word
    else
      count=$((count + 1))
    fi
  done

  local cur=${words[i]}
  _dray_at "$at"
  [[ -n $more && $count -ge ${#places[@]} ]] && count=$((${#places[@]} - 1))
  if [[ -z $flag && -z $ended && $cur == -*=* ]]; then
    flag=${cur%%=*} cur=${cur#*=}
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=$flag=
  fi
  if [[ -n $flag ]]; then
    _dray_takes "$at" "$flag" && offer=$values
  elif [[ -z $ended && $cur == -* ]]; then
    offer="$flags --json --output --profile --base-url --store --as --yes -y --confirm --no-input --record --timeout --quiet -q --verbose -v --debug --color --no-pager --accessible --help -h"
  elif [[ -n $names && $count -eq 0 ]]; then
    offer=$names
  elif [[ $count -lt ${#places[@]} ]]; then
    offer=${places[count]}
  elif [[ -z $names && -z $ended ]]; then
    offer=$flags
  fi
  if [[ $offer == @file ]]; then
    # Readline names files best; where it cannot be asked to (bash 3.2), bash lists them.
    compopt -o default 2>/dev/null || while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -P "$prefix" -f -- "$cur")
  else
    [[ $offer == @* ]] && offer=$(_dray_known "${offer#@}" "${words[@]}")
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -P "$prefix" -W "$offer" -- "$cur")
  fi
}

complete -F _dray dray
