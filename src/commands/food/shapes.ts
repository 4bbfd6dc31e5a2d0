import type { Answer } from '../../client/operations.ts'
export type FoodQuote = Answer<'quote_food_order'>
export type FoodOrder = Answer<'get_food_order'>
export type Merchant = Answer<'search_restaurants'>['data'][number]
export type Menu = Answer<'get_restaurant_menu'>
export type MenuItem = Menu['categories'][number]['items'][number]
