// SPDX-License-Identifier: Apache-2.0
//
// UNSUPPORTED_OPTION: an option that the plugin does not have.
int nothing;

// flags: -fplugin-arg-tlaloc-shout
// expect-driver: UNSUPPORTED_OPTION ... shout ... print=DIR
