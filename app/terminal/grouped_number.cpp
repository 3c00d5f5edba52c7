// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/grouped_number.h"

namespace fullbatch {

std::string grouped(std::int64_t number)
{
    std::string text = std::to_string(number);
    const std::ptrdiff_t sign = number < 0 ? 1 : 0;
    for (auto place = static_cast<std::ptrdiff_t>(text.size()) - 3; place > sign; place -= 3)
        text.insert(static_cast<std::size_t>(place), 1, ',');
    return text;
}

} // namespace fullbatch
