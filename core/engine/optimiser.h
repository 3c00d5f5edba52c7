// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fullbatch {

/// The rule by which an update follows from a mean gradient g and a learning rate, the same in
/// every engine: torch.optim.SGD with dampening 0 (I. Sutskever et al. 2013).
///   velocity = momentum * velocity + g
///   step = velocity, or with Nesterov's momentum g + momentum * velocity
///   parameters -= rate * step
/// The velocity begins with 0.
struct Optimiser
{
    double momentum = 0; ///< 0 <= momentum < 1; without it there is no velocity
    bool nesterov = false; ///< only with momentum

    friend bool operator==(const Optimiser&, const Optimiser&) = default;
};

} // namespace fullbatch
