// SPDX-License-Identifier: GPL-3.0-or-later

/// All there is in libraries that are not what somebody takes them for.
extern "C" int emptyModule();

int emptyModule()
{
    return 0;
}
