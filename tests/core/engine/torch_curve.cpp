// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/engine/torch_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace fullbatch {

namespace {

double distance(double value, double reference)
{
    if (std::isnan(value) && std::isnan(reference))
        return 0;
    const double difference = std::abs(value - reference);
    return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

} // namespace

std::vector<CurvePoint> readTorchCurve(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    std::vector<CurvePoint> curve;
    while (std::getline(stream, line)) {
        std::istringstream fields(line + ","); // so that an empty last field is read
        std::array<double, 5> values{};
        for (double& value : values) {
            std::string field;
            if (!std::getline(fields, field, ','))
                throw std::runtime_error("A field is missing: " + line);
            value = field.empty() ? std::nan("") : std::stod(field);
        }
        if (values[0] != static_cast<double>(curve.size()))
            throw std::runtime_error("An epoch is missing before: " + line);
        curve.push_back({values[1], values[2], values[3], values[4]});
    }
    return curve;
}

CurveDistance curveDistance(const std::vector<CurvePoint>& curve,
                            const std::vector<CurvePoint>& reference)
{
    CurveDistance largest;
    for (std::size_t epoch = 0; epoch < std::min(curve.size(), reference.size()); ++epoch) {
        const CurvePoint& a = curve[epoch];
        const CurvePoint& b = reference[epoch];
        const auto widen = [](double& value, double by) { value = std::max(value, by); };
        widen(largest.trainLoss, distance(a.trainLoss, b.trainLoss) / b.trainLoss);
        widen(largest.trainErrorPercent, distance(a.trainErrorPercent, b.trainErrorPercent));
        widen(largest.testErrorPercent, distance(a.testErrorPercent, b.testErrorPercent));
        const double testLoss = distance(a.testLoss, b.testLoss);
        widen(largest.testLoss, std::isnan(b.testLoss) ? testLoss : testLoss / b.testLoss);
        largest.evaluations += std::isnan(a.testLoss) || std::isnan(b.testLoss) ? 0 : 1;
    }
    return largest;
}

} // namespace fullbatch
