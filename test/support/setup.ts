/** Runs before each test file, and so its hook is the file's last. */
import { afterAll } from 'vitest'
import { endFile } from './after-file.ts'

afterAll(endFile)
