/** Runs before each test file, so that its hook is the file's last. */
import { afterAll } from 'vitest'
import { endFile } from './after-file.ts'

afterAll(endFile)
