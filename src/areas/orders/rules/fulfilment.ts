export type Table = { table_number: string; party_size: number | null }
