/** The manifest that a new shipper starts from: `dray carrier template`. */
import { COLUMNS } from '../../../rows/manifest/columns.ts'

export const TEMPLATE_COLUMNS = COLUMNS.flatMap(({ name, helps }) =>
  helps === undefined && name !== 'dimensions' ? [name] : [],
)

/** Five parcels that are valid as they stand. */
export const EXAMPLES = `
reference;recipient_name;company;address_line1;address_line2;city;region;postal_code;country_code;phone;email;weight_grams;length_mm;width_mm;height_mm;service_level;description;declared_value;currency;signature_required;leave_safe_place;instructions
A-1001;Amelia Hart;;14 Lamb Street;Flat 3;London;;E1 6EA;;020 7946 0123;amelia.hart@example.com;850;300;220;80;next_day;Two paperback books;;;;;
A-1002;Rajesh Patel;Patel & Sons;5 Market Place;;Reading;Berkshire;RG1 2DE;GB;07700 900123;;2400;400;300;200;two_day;Coffee grinder;89.5;GBP;yes;;
A-1003;Siân Morgan;;22 Heol y Bont;;Cardiff;;CF10 1EP;;;;600;250;180;60;economy;Wool scarf;;;;Porch;Behind the blue gate
A-1004;Callum Fraser;;8 Shore Road;;Inverness;;IV1 1AH;;07700 900456;;5200;600;300;250;two_day;Walking boots and rucksack;;;;;
A-1005;Grace Okafor;;101 Peckham Rye;;London;;SE15 4ST;;;grace.okafor@example.com;1200;350;250;120;same_day;Birthday cake stand;;;;;
`
