# Completion of dray for bash. Made by `npm run generate`; do not edit.

# What may follow the words $1: the next words, flags, and what each argument may be. Fails for words that are no command.
_dray_at() {
  names='' flags='' places=() more=''
  case $1 in
    '') names='account carrier sandbox profile login logout whoami serve api completion help openapi' flags='--version -V' ;;
    'account membership') ;;
    'account') names='membership' ;;
    'carrier coverage') flags='--postal-code --country --latitude --longitude --service --point' ;;
    'carrier') names='coverage rates hubs create upload template list show events track cancel' ;;
    'carrier rates') flags='--to-postal-code --to-country --to-city --weight --length --width --height --from-hub --declared-value-amount --declared-value-currency --service --declared-value' ;;
    'carrier hubs') flags='--postal-code --country --active' ;;
    'carrier create') flags='--to-name --to-phone --to-email --to-line1 --to-line2 --to-city --to-region --to-postal-code --to-country --to-latitude --to-longitude --instructions --to-company --weight --length --width --height --description --declared-value --contents --service --hub --from-name --from-phone --from-email --from-line1 --from-line2 --from-city --from-region --from-postal-code --from-country --from-latitude --from-longitude --from-notes --from-company --reference --signature --safe-place --cash-on-delivery --not-before' ;;
    'carrier upload') flags='--map --default --service --hub --split --results --map-only --save-map --use-map --weight-unit --length-unit --merge-lines --strict --encoding --delimiter --manifest-reference' places=('@file') ;;
    'carrier template') flags='--example' places=('@file') ;;
    'carrier list') flags='--status --service --reference --batch --created-from --created-to --delivered-from --delivered-to' ;;
    'carrier show') places=('') ;;
    'carrier events') places=('') ;;
    'carrier track') places=('') ;;
    'carrier cancel') flags='--reason --note' places=('') ;;
    'sandbox status') ;;
    'sandbox') names='status clock account scan step events reset' ;;
    'sandbox clock show') ;;
    'sandbox clock') names='show set freeze advance run' ;;
    'sandbox clock set') flags='--mode --factor' places=('') ;;
    'sandbox clock freeze') flags='--at' ;;
    'sandbox clock advance') flags='--to' places=('') ;;
    'sandbox clock run') flags='--factor' ;;
    'sandbox account list') ;;
    'sandbox account') names='list add membership token' ;;
    'sandbox account add') flags='--name --scope --membership --carrier --business' places=('') ;;
    'sandbox account membership') flags='--plan --renewal' places=('' 'none trialing active past_due cancelled expired') ;;
    'sandbox account token') flags='--scope --expires-in' places=('') ;;
    'sandbox scan') flags='--hub --reason --detail' places=('' 'manifested collected arrived_at_facility departed_facility out_for_delivery delivery_attempted rescheduled available_for_pickup delivered delayed damaged held return_started returned lost address_corrected') ;;
    'sandbox step') places=('') ;;
    'sandbox events') ;;
    'sandbox reset') flags='--seed --at' ;;
    'profile list') ;;
    'profile') names='list add use show bind remove' ;;
    'profile add') flags='--base-url --store --account --pay --default-output --default-parcel --protected --update --use' places=('') ;;
    'profile use') places=('') ;;
    'profile show') flags='--explain' places=('') ;;
    'profile bind') places=('') ;;
    'profile remove') places=('') ;;
    'login') flags='--token-stdin --token-file --sandbox --account' ;;
    'logout') ;;
    'whoami') ;;
    'serve') flags='--host --port --allowed-host --sandbox-control --log' ;;
    'api') names='get_membership_status check_coverage quote_rates create_shipment create_shipments_batch get_shipment list_shipments cancel_shipment list_shipment_events list_hubs' flags='--list --input' places=('') ;;
    'completion') places=('bash zsh fish powershell') ;;
    'help') places=('exit-codes environment flags formatting profiles sandbox') more=1 ;;
    'openapi') ;;
    'api get_membership_status') flags='--input' ;;
    'api check_coverage') flags='--postal-code --country --latitude --longitude --service --point --input' ;;
    'api quote_rates') flags='--to-postal-code --to-country --to-city --weight --length --width --height --from-hub --declared-value-amount --declared-value-currency --service --declared-value --input' ;;
    'api create_shipment') flags='--to-name --to-phone --to-email --to-line1 --to-line2 --to-city --to-region --to-postal-code --to-country --to-latitude --to-longitude --instructions --to-company --weight --length --width --height --description --declared-value --contents --service --hub --from-name --from-phone --from-email --from-line1 --from-line2 --from-city --from-region --from-postal-code --from-country --from-latitude --from-longitude --from-notes --from-company --reference --signature --safe-place --cash-on-delivery --not-before --input' ;;
    'api create_shipments_batch') flags='--shipments --manifest-reference --default-service-level --default-hub-id --input' ;;
    'api get_shipment') flags='--tracking-number --input' ;;
    'api list_shipments') flags='--status --service --reference --batch --created-from --created-to --delivered-from --delivered-to --input' ;;
    'api cancel_shipment') flags='--tracking-number --reason --note --input' ;;
    'api list_shipment_events') flags='--tracking-number --input' ;;
    'api list_hubs') flags='--postal-code --country --active --input' ;;
    *) return 1 ;;
  esac
}

# What the flag $2 of the command $1 takes: one of the values, @file, or anything. Fails for a flag that takes nothing.
_dray_takes() {
  values=''
  case "$1 $2" in
    'carrier coverage --postal-code' | 'carrier coverage --country' | 'carrier coverage --latitude' | 'carrier coverage --longitude' | 'carrier coverage --point') ;;
    'carrier coverage --service') values='same_day next_day two_day economy' ;;
    'carrier rates --to-postal-code' | 'carrier rates --to-country' | 'carrier rates --to-city' | 'carrier rates --weight' | 'carrier rates --length' | 'carrier rates --width' | 'carrier rates --height' | 'carrier rates --from-hub' | 'carrier rates --declared-value-amount' | 'carrier rates --declared-value-currency' | 'carrier rates --declared-value') ;;
    'carrier rates --service') values='same_day next_day two_day economy' ;;
    'carrier hubs --postal-code' | 'carrier hubs --country') ;;
    'carrier create --to-name' | 'carrier create --to-phone' | 'carrier create --to-email' | 'carrier create --to-line1' | 'carrier create --to-line2' | 'carrier create --to-city' | 'carrier create --to-region' | 'carrier create --to-postal-code' | 'carrier create --to-country' | 'carrier create --to-latitude' | 'carrier create --to-longitude' | 'carrier create --instructions' | 'carrier create --to-company' | 'carrier create --weight' | 'carrier create --length' | 'carrier create --width' | 'carrier create --height' | 'carrier create --description' | 'carrier create --declared-value' | 'carrier create --hub' | 'carrier create --from-name' | 'carrier create --from-phone' | 'carrier create --from-email' | 'carrier create --from-line1' | 'carrier create --from-line2' | 'carrier create --from-city' | 'carrier create --from-region' | 'carrier create --from-postal-code' | 'carrier create --from-country' | 'carrier create --from-latitude' | 'carrier create --from-longitude' | 'carrier create --from-notes' | 'carrier create --from-company' | 'carrier create --reference' | 'carrier create --safe-place' | 'carrier create --cash-on-delivery' | 'carrier create --not-before') ;;
    'carrier create --contents') values='documents merchandise gift return' ;;
    'carrier create --service') values='same_day next_day two_day economy' ;;
    'carrier upload --map' | 'carrier upload --default' | 'carrier upload --hub' | 'carrier upload --save-map' | 'carrier upload --use-map' | 'carrier upload --encoding' | 'carrier upload --manifest-reference') ;;
    'carrier upload --service') values='same_day next_day two_day economy' ;;
    'carrier upload --results') values='@file' ;;
    'carrier upload --weight-unit') values='g kg oz lb' ;;
    'carrier upload --length-unit') values='mm cm m in' ;;
    'carrier upload --delimiter') values='comma semicolon tab pipe' ;;
    'carrier list --status') values='pre_transit in_transit out_for_delivery delivery_attempted available_for_pickup delivered returning returned lost cancelled' ;;
    'carrier list --service') values='same_day next_day two_day economy' ;;
    'carrier list --reference' | 'carrier list --batch' | 'carrier list --created-from' | 'carrier list --created-to' | 'carrier list --delivered-from' | 'carrier list --delivered-to') ;;
    'carrier cancel --reason') values='order_cancelled address_wrong duplicate lost_stock other' ;;
    'carrier cancel --note') ;;
    'sandbox clock set --mode') values='real frozen scaled offset' ;;
    'sandbox clock set --factor') ;;
    'sandbox clock freeze --at') ;;
    'sandbox clock advance --to') ;;
    'sandbox clock run --factor') ;;
    'sandbox account add --name' | 'sandbox account add --scope') ;;
    'sandbox account add --membership') values='none active trialing' ;;
    'sandbox account membership --plan') values='one_monthly one_yearly' ;;
    'sandbox account membership --renewal') values='paid fails' ;;
    'sandbox account token --scope' | 'sandbox account token --expires-in') ;;
    'sandbox scan --hub' | 'sandbox scan --detail') ;;
    'sandbox scan --reason') values='recipient_unavailable business_closed refused address_incorrect address_not_found access_denied damaged missorted weather vehicle_breakdown future_delivery_requested cod_not_available customs_hold id_check_failed unsafe_location holiday_closure other' ;;
    'sandbox reset --seed' | 'sandbox reset --at') ;;
    'profile add --base-url' | 'profile add --account' | 'profile add --default-parcel') ;;
    'profile add --store') values='@file' ;;
    'profile add --pay') values='card wallet cash table' ;;
    'profile add --default-output') values='table json ndjson csv yaml' ;;
    'login --token-file') values='@file' ;;
    'login --account') ;;
    'serve --host' | 'serve --port' | 'serve --allowed-host') ;;
    'serve --log') values='@file' ;;
    'api --input') values='@file' ;;
    'api get_membership_status --input') values='@file' ;;
    'api check_coverage --postal-code' | 'api check_coverage --country' | 'api check_coverage --latitude' | 'api check_coverage --longitude' | 'api check_coverage --point') ;;
    'api check_coverage --service') values='same_day next_day two_day economy' ;;
    'api check_coverage --input') values='@file' ;;
    'api quote_rates --to-postal-code' | 'api quote_rates --to-country' | 'api quote_rates --to-city' | 'api quote_rates --weight' | 'api quote_rates --length' | 'api quote_rates --width' | 'api quote_rates --height' | 'api quote_rates --from-hub' | 'api quote_rates --declared-value-amount' | 'api quote_rates --declared-value-currency' | 'api quote_rates --declared-value') ;;
    'api quote_rates --service') values='same_day next_day two_day economy' ;;
    'api quote_rates --input') values='@file' ;;
    'api create_shipment --to-name' | 'api create_shipment --to-phone' | 'api create_shipment --to-email' | 'api create_shipment --to-line1' | 'api create_shipment --to-line2' | 'api create_shipment --to-city' | 'api create_shipment --to-region' | 'api create_shipment --to-postal-code' | 'api create_shipment --to-country' | 'api create_shipment --to-latitude' | 'api create_shipment --to-longitude' | 'api create_shipment --instructions' | 'api create_shipment --to-company' | 'api create_shipment --weight' | 'api create_shipment --length' | 'api create_shipment --width' | 'api create_shipment --height' | 'api create_shipment --description' | 'api create_shipment --declared-value' | 'api create_shipment --hub' | 'api create_shipment --from-name' | 'api create_shipment --from-phone' | 'api create_shipment --from-email' | 'api create_shipment --from-line1' | 'api create_shipment --from-line2' | 'api create_shipment --from-city' | 'api create_shipment --from-region' | 'api create_shipment --from-postal-code' | 'api create_shipment --from-country' | 'api create_shipment --from-latitude' | 'api create_shipment --from-longitude' | 'api create_shipment --from-notes' | 'api create_shipment --from-company' | 'api create_shipment --reference' | 'api create_shipment --safe-place' | 'api create_shipment --cash-on-delivery' | 'api create_shipment --not-before') ;;
    'api create_shipment --contents') values='documents merchandise gift return' ;;
    'api create_shipment --service') values='same_day next_day two_day economy' ;;
    'api create_shipment --input') values='@file' ;;
    'api create_shipments_batch --shipments' | 'api create_shipments_batch --manifest-reference' | 'api create_shipments_batch --default-hub-id') ;;
    'api create_shipments_batch --default-service-level') values='same_day next_day two_day economy' ;;
    'api create_shipments_batch --input') values='@file' ;;
    'api get_shipment --tracking-number') ;;
    'api get_shipment --input') values='@file' ;;
    'api list_shipments --status') values='pre_transit in_transit out_for_delivery delivery_attempted available_for_pickup delivered returning returned lost cancelled' ;;
    'api list_shipments --service') values='same_day next_day two_day economy' ;;
    'api list_shipments --reference' | 'api list_shipments --batch' | 'api list_shipments --created-from' | 'api list_shipments --created-to' | 'api list_shipments --delivered-from' | 'api list_shipments --delivered-to') ;;
    'api list_shipments --input') values='@file' ;;
    'api cancel_shipment --tracking-number' | 'api cancel_shipment --note') ;;
    'api cancel_shipment --reason') values='order_cancelled address_wrong duplicate lost_stock other' ;;
    'api cancel_shipment --input') values='@file' ;;
    'api list_shipment_events --tracking-number') ;;
    'api list_shipment_events --input') values='@file' ;;
    'api list_hubs --postal-code' | 'api list_hubs --country') ;;
    'api list_hubs --input') values='@file' ;;
    *' --output') values='table json ndjson csv yaml' ;;
    *' --fields' | *' --query' | *' --profile' | *' --base-url' | *' --as' | *' --scenario' | *' --limit' | *' --cursor' | *' --confirm' | *' --idempotency-key' | *' --timeout') ;;
    *' --store') values='@file' ;;
    *' --color') values='auto always never' ;;
    *) return 1 ;;
  esac
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
    offer="$flags --json --output --fields --query --profile --base-url --store --as --scenario --limit --cursor --all --yes -y --confirm --no-input --dry-run --idempotency-key --timeout --wait --quiet -q --verbose -v --debug --color --accessible --help -h"
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
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -P "$prefix" -W "$offer" -- "$cur")
  fi
}

complete -F _dray dray
