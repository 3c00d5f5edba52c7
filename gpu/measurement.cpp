// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/measurement.h"

#include "gpu/cuda_error.h"
#include "gpu/kernels.h"

#include <algorithm>
#include <cmath>

namespace fullbatch {

namespace {

/// A pass for so many rows that not every number of rows needs its own: 16, 64, 256, ... or all.
std::size_t passRows(std::size_t rows, std::size_t all)
{
    std::size_t size = 16;
    while (size < rows)
        size *= 4;
    return std::min(size, all);
}

bool allFinite(std::span<const float> values)
{
    return std::all_of(values.begin(), values.end(),
                       [](float value) { return std::isfinite(value); });
}

} // namespace

void Measurement::startState(float lossScale)
{
    DescentState state;
    state.lossScale = lossScale;
    m_problem.upload(m_problem.buffers().otherState, &state, sizeof state);
}

DescentState Measurement::readState()
{
    DescentState state;
    m_problem.download(&state, m_problem.buffers().otherState.data(), sizeof state);
    return state;
}

Evaluation Measurement::evaluate(const void* weights, SplitName name)
{
    const std::size_t rows = m_problem.data().split(name).rows();
    if (rows == 0)
        return {std::nan(""), 0, 0};
    startState(1);
    DeviceProblem::RowWork work;
    work.weights = weights;
    work.state = m_problem.buffers().otherState.at<DescentState>();
    work.meanRows = static_cast<double>(rows);
    work.gradient = false;
    const DevicePass& pass = m_problem.wholePass();
    if (name == SplitName::Train) {
        m_problem.queueAllRows(work);
    } else {
        for (std::size_t first = 0; first < rows; first += m_problem.trainRows()) {
            const std::size_t count = std::min(m_problem.trainRows(), rows - first);
            m_problem.queueRows(pass, name, {nullptr, first, count}, work);
        }
    }
    const DescentState state = readState();
    return {static_cast<float>(state.lossSum / static_cast<double>(rows)), state.wrongRows, rows};
}

/// By passes over as many columns as there are training rows: the same products as in training, so
/// that predictions and records agree.
Eigen::MatrixXf Measurement::predict(const void* weights, const Eigen::MatrixXf& inputs)
{
    const PaddedLayer& last = m_problem.network().layers().back();
    const auto columns = static_cast<std::size_t>(inputs.cols());
    const auto features = static_cast<std::size_t>(inputs.rows());
    const std::size_t atOnce = m_problem.trainRows();
    Eigen::MatrixXf logits(last.outputs, inputs.cols());
    Eigen::MatrixXf padded(last.outputStride, static_cast<Eigen::Index>(std::min(atOnce, columns)));
    for (std::size_t first = 0; first < columns; first += atOnce) {
        const std::size_t count = std::min(atOnce, columns - first);
        m_problem.upload(m_problem.buffers().otherInputs, inputs.data() + first * features,
                         count * features * sizeof(float));
        m_problem.queueLogits(weights, count);
        m_problem.download(padded.data(), m_problem.buffers().logits.data(),
                           count * static_cast<std::size_t>(last.outputStride) * sizeof(float));
        const auto width = static_cast<Eigen::Index>(count);
        logits.middleCols(static_cast<Eigen::Index>(first), width) =
            padded.topLeftCorner(last.outputs, width);
    }
    return logits;
}

const void* Measurement::sendWeights(const Parameters& parameters)
{
    const PaddedNetwork& network = m_problem.network();
    const EngineBuffers& buffers = m_problem.buffers();
    std::vector<float> padded(network.size());
    network.pack(parameters.values(), padded);
    network.setFixed(padded);
    m_problem.upload(buffers.otherWeights, padded.data(), padded.size() * sizeof(float));
    if (!m_problem.arithmetic().copies())
        return buffers.otherWeights.data();
    const ConvertWork work{buffers.otherWeights.at<float>(), buffers.otherCopies.data(),
                           network.size()};
    check(launchConvert(m_problem.stream().get(), m_problem.arithmetic().stored, work),
          "convertKernel");
    return buffers.otherCopies.data();
}

/// Adds up the mean gradient of `count` rows, in file order when none are named, in the buffer for
/// it.
void Measurement::addUpGradient(const void* weights, std::span<const std::uint32_t> rows,
                                std::size_t count, UpdateWork& work)
{
    DeviceProblem::RowWork rowWork;
    rowWork.weights = weights;
    rowWork.state = work.state;
    rowWork.meanRows = static_cast<double>(count);
    for (std::size_t first = 0; first < count; first += m_problem.trainRows()) {
        RowChoice choice{nullptr, first, std::min(m_problem.trainRows(), count - first)};
        if (!rows.empty()) {
            m_problem.upload(m_problem.buffers().order, rows.data() + first,
                             choice.count * sizeof(std::uint32_t));
            choice = {m_problem.buffers().order.at<std::uint32_t>(), 0, choice.count};
        }
        const DevicePass& pass = m_problem.passFor(passRows(choice.count, m_problem.trainRows()));
        m_problem.queueRows(pass, SplitName::Train, choice, rowWork);
        work.chunks = static_cast<unsigned int>(pass.rows().chunks);
        work.gradientShare = meanShares(m_problem.arithmetic(), choice.count).gradient;
        work.meanPart =
            static_cast<float>(static_cast<double>(choice.count) / static_cast<double>(count));
        work.firstPart = first == 0 ? 1 : 0;
        check(launchGradient(m_problem.stream().get(), work), "gradientKernel");
    }
}

Parameters Measurement::gradientAt(const Parameters& parameters,
                                   std::span<const std::uint32_t> rows, UpdateWork work)
{
    const EngineBuffers& buffers = m_problem.buffers();
    const std::size_t count = rows.empty() ? m_problem.trainRows() : rows.size();
    const bool scaled = m_problem.arithmetic().scaled;
    const void* weights = sendWeights(parameters);
    work.state = buffers.otherState.at<DescentState>();
    work.meanGradient = buffers.otherGradient.at<float>();
    work.scaled = 0; // the scale is looked for below
    std::vector<float> padded(m_problem.network().size());
    for (float scale = scaled ? initialLossScale : 1;; scale /= 2) {
        startState(scale);
        addUpGradient(weights, rows, count, work);
        m_problem.download(padded.data(), buffers.otherGradient.data(),
                           padded.size() * sizeof(float));
        // Padding is never written; it may hold anything.
        Parameters gradient = parameters;
        m_problem.network().unpack(padded, gradient.values());
        if (!scaled || scale <= smallestLossScale || allFinite(gradient.values()))
            return gradient;
    }
}

} // namespace fullbatch
