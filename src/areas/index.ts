/** Calls beside the interface. Each declares its `toolset`, which no default list of tools holds, or null without a tool. */
const EXTENSIONS = {
  check_catalog_prices: () => import('./business/check_catalog_prices.ts').then((m) => m.checkCatalogPrices),
  get_catalog_item_history: () =>
    import('./business/get_catalog_item_history.ts').then((m) => m.getCatalogItemHistory),
  list_catalog_changes: () => import('./business/list_catalog_changes.ts').then((m) => m.listCatalogChanges),
  count_shipments: () => import('./carrier/count_shipments.ts').then((m) => m.countShipments),
  adjust_business_order: () =>
    import('./business/adjust_business_order.ts').then((m) => m.adjustBusinessOrder),
  get_store_hours: () => import('./business/get_store_hours.ts').then((m) => m.getStoreHours),
  set_store_hours: () => import('./business/set_store_hours.ts').then((m) => m.setStoreHours),
  pause_store: () => import('./business/pause_store.ts').then((m) => m.pauseStore),
  resume_store: () => import('./business/resume_store.ts').then((m) => m.resumeStore),
  set_store_busy: () => import('./business/set_store_busy.ts').then((m) => m.setStoreBusy),
  find_shipments: () => import('./carrier/find_shipments.ts').then((m) => m.findShipments),
  answer_substitution: () => import('./food/answer_substitution.ts').then((m) => m.answerSubstitution),
  report_order_problem: () => import('./food/report_order_problem.ts').then((m) => m.reportOrderProblem),
  answer_order_problem: () => import('./business/answer_order_problem.ts').then((m) => m.answerOrderProblem),
  appeal_order_problem: () => import('./food/appeal_order_problem.ts').then((m) => m.appealOrderProblem),
  cancel_booking: () => import('./services/cancel_booking.ts').then((m) => m.cancelBooking),
  move_booking: () => import('./services/move_booking.ts').then((m) => m.moveBooking),
  set_item_stock: () => import('./business/set_item_stock.ts').then((m) => m.setItemStock),
  set_item_schedule: () => import('./business/set_item_schedule.ts').then((m) => m.setItemSchedule),
  set_category_schedule: () =>
    import('./business/set_category_schedule.ts').then((m) => m.setCategorySchedule),
  get_store_statement: () => import('./business/get_store_statement.ts').then((m) => m.getStoreStatement),
  list_statement_entries: () =>
    import('./business/list_statement_entries.ts').then((m) => m.listStatementEntries),
  get_carrier_invoice: () => import('./carrier/get_carrier_invoice.ts').then((m) => m.getCarrierInvoice),
  redirect_shipment: () => import('./carrier/redirect_shipment.ts').then((m) => m.redirectShipment),
  correct_recipient: () => import('./carrier/correct_recipient.ts').then((m) => m.correctRecipient),
  create_collection_manifest: () =>
    import('./carrier/create_collection_manifest.ts').then((m) => m.createCollectionManifest),
  get_collection_manifest: () =>
    import('./carrier/get_collection_manifest.ts').then((m) => m.getCollectionManifest),
  create_return: () => import('./carrier/create_return.ts').then((m) => m.createReturn),
  create_claim: () => import('./carrier/create_claim.ts').then((m) => m.createClaim),
  close_business_day: () => import('./business/close_business_day.ts').then((m) => m.closeBusinessDay),
  list_business_days: () => import('./business/list_business_days.ts').then((m) => m.listBusinessDays),
  get_business_day: () => import('./business/get_business_day.ts').then((m) => m.getBusinessDay),
  list_account_events: () => import('./account/list_account_events.ts').then((m) => m.listAccountEvents),
  create_webhook_endpoint: () =>
    import('./account/create_webhook_endpoint.ts').then((m) => m.createWebhookEndpoint),
  list_webhook_endpoints: () =>
    import('./account/list_webhook_endpoints.ts').then((m) => m.listWebhookEndpoints),
  get_webhook_endpoint: () => import('./account/get_webhook_endpoint.ts').then((m) => m.getWebhookEndpoint),
  update_webhook_endpoint: () =>
    import('./account/update_webhook_endpoint.ts').then((m) => m.updateWebhookEndpoint),
  rotate_webhook_secret: () =>
    import('./account/rotate_webhook_secret.ts').then((m) => m.rotateWebhookSecret),
  test_webhook_endpoint: () =>
    import('./account/test_webhook_endpoint.ts').then((m) => m.testWebhookEndpoint),
  list_webhook_deliveries: () =>
    import('./account/list_webhook_deliveries.ts').then((m) => m.listWebhookDeliveries),
  get_webhook_delivery: () => import('./account/get_webhook_delivery.ts').then((m) => m.getWebhookDelivery),
  resend_webhooks: () => import('./account/resend_webhooks.ts').then((m) => m.resendWebhooks),
  delete_webhook_endpoint: () =>
    import('./account/delete_webhook_endpoint.ts').then((m) => m.deleteWebhookEndpoint),
} as const

/**
 * Every operation, loaded when it is first asked for; in the order of all lists and pages: first those of the interface, in its
 * order, then the calls beside it.
 */
export const OPERATIONS = {
  get_membership_status: () =>
    import('./account/get_membership_status.ts').then((m) => m.getMembershipStatus),
  search_restaurants: () => import('./food/search_restaurants.ts').then((m) => m.searchRestaurants),
  get_restaurant_menu: () => import('./food/get_restaurant_menu.ts').then((m) => m.getRestaurantMenu),
  quote_food_order: () => import('./food/quote_food_order.ts').then((m) => m.quoteFoodOrder),
  place_food_order: () => import('./food/place_food_order.ts').then((m) => m.placeFoodOrder),
  get_food_order: () => import('./food/get_food_order.ts').then((m) => m.getFoodOrder),
  list_food_orders: () => import('./food/list_food_orders.ts').then((m) => m.listFoodOrders),
  cancel_food_order: () => import('./food/cancel_food_order.ts').then((m) => m.cancelFoodOrder),
  search_ride_options: () => import('./rides/search_ride_options.ts').then((m) => m.searchRideOptions),
  quote_ride: () => import('./rides/quote_ride.ts').then((m) => m.quoteRide),
  request_ride: () => import('./rides/request_ride.ts').then((m) => m.requestRide),
  get_ride: () => import('./rides/get_ride.ts').then((m) => m.getRide),
  list_rides: () => import('./rides/list_rides.ts').then((m) => m.listRides),
  cancel_ride: () => import('./rides/cancel_ride.ts').then((m) => m.cancelRide),
  quote_delivery: () => import('./delivery/quote_delivery.ts').then((m) => m.quoteDelivery),
  request_delivery: () => import('./delivery/request_delivery.ts').then((m) => m.requestDelivery),
  get_delivery: () => import('./delivery/get_delivery.ts').then((m) => m.getDelivery),
  check_coverage: () => import('./carrier/check_coverage.ts').then((m) => m.checkCoverage),
  quote_rates: () => import('./carrier/quote_rates.ts').then((m) => m.quoteRates),
  create_shipment: () => import('./carrier/create_shipment.ts').then((m) => m.createShipment),
  create_shipments_batch: () =>
    import('./carrier/create_shipments_batch.ts').then((m) => m.createShipmentsBatch),
  get_shipment: () => import('./carrier/get_shipment.ts').then((m) => m.getShipment),
  list_shipments: () => import('./carrier/list_shipments.ts').then((m) => m.listShipments),
  cancel_shipment: () => import('./carrier/cancel_shipment.ts').then((m) => m.cancelShipment),
  list_shipment_events: () => import('./carrier/list_shipment_events.ts').then((m) => m.listShipmentEvents),
  list_hubs: () => import('./carrier/list_hubs.ts').then((m) => m.listHubs),
  search_service_providers: () =>
    import('./services/search_service_providers.ts').then((m) => m.searchServiceProviders),
  get_provider_availability: () =>
    import('./services/get_provider_availability.ts').then((m) => m.getProviderAvailability),
  quote_service: () => import('./services/quote_service.ts').then((m) => m.quoteService),
  book_service: () => import('./services/book_service.ts').then((m) => m.bookService),
  get_service_booking: () => import('./services/get_service_booking.ts').then((m) => m.getServiceBooking),
  list_task_types: () => import('./tasks/list_task_types.ts').then((m) => m.listTaskTypes),
  quote_task: () => import('./tasks/quote_task.ts').then((m) => m.quoteTask),
  create_task: () => import('./tasks/create_task.ts').then((m) => m.createTask),
  get_task: () => import('./tasks/get_task.ts').then((m) => m.getTask),
  get_task_evidence: () => import('./tasks/get_task_evidence.ts').then((m) => m.getTaskEvidence),
  cancel_task: () => import('./tasks/cancel_task.ts').then((m) => m.cancelTask),
  list_business_orders: () => import('./business/list_business_orders.ts').then((m) => m.listBusinessOrders),
  get_business_order: () => import('./business/get_business_order.ts').then((m) => m.getBusinessOrder),
  accept_business_order: () =>
    import('./business/accept_business_order.ts').then((m) => m.acceptBusinessOrder),
  reject_business_order: () =>
    import('./business/reject_business_order.ts').then((m) => m.rejectBusinessOrder),
  start_business_order_prep: () =>
    import('./business/start_business_order_prep.ts').then((m) => m.startBusinessOrderPrep),
  mark_business_order_ready: () =>
    import('./business/mark_business_order_ready.ts').then((m) => m.markBusinessOrderReady),
  complete_business_order: () =>
    import('./business/complete_business_order.ts').then((m) => m.completeBusinessOrder),
  list_catalog_items: () => import('./business/list_catalog_items.ts').then((m) => m.listCatalogItems),
  create_catalog_item: () => import('./business/create_catalog_item.ts').then((m) => m.createCatalogItem),
  update_catalog_item: () => import('./business/update_catalog_item.ts').then((m) => m.updateCatalogItem),
  set_catalog_item_availability: () =>
    import('./business/set_catalog_item_availability.ts').then((m) => m.setCatalogItemAvailability),
  delete_catalog_item: () => import('./business/delete_catalog_item.ts').then((m) => m.deleteCatalogItem),
  import_catalog_items: () => import('./business/import_catalog_items.ts').then((m) => m.importCatalogItems),
  ...EXTENSIONS,
} as const
