// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/engine_input.h"

#include "core/engine/precision_names.h"
#include "core/training/device_shares.h"
#include "ui/parts/choice_box.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QStringList>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace fullbatch {

namespace {

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

/// Why it cannot be used and what to do; empty when it can.
QString reasonOf(const EngineChoice& choice)
{
    QStringList sentences = {text(choice.unusable), text(choice.remedy)};
    sentences.removeAll(QString());
    return sentences.join(QLatin1Char(' '));
}

} // namespace

EngineInput::EngineInput(int cores, QObject* parent)
    : QObject(parent),
      m_engine(new ChoiceBox),
      m_precision(new ChoiceBox),
      m_threads(new ChoiceBox)
{
    m_engine->setObjectName(QStringLiteral("engine"));
    m_precision->setObjectName(QStringLiteral("precision"));
    m_threads->setObjectName(QStringLiteral("threads"));
    m_threads->addItem(tr("%1, every core").arg(cores), 0);
    for (int threads = cores - 1; threads > 0; --threads)
        m_threads->addItem(threads == cores - 1 ? tr("%1, one core left free").arg(threads)
                                                : QString::number(threads),
                           threads);
    m_threads->setToolTip(tr("How many threads the runs that start together share; each gets at "
                             "least one. The results do not depend on it."));
    m_precision->setToolTip(
        tr("How exactly the engine multiplies. fp32 is the default; tf32, bf16 and fp16 are faster "
           "on graphics cards and less exact. The weights are kept in fp32 always."));
    m_engine->setItemDelegate(new QStyledItemDelegate(m_engine)); // the style's own has no lines
    m_engine->installEventFilter(this);
    connect(m_engine, &QComboBox::activated, this, [this] {
        if (choice() != nullptr)
            m_wanted = choice()->id;
    });
    connect(m_precision, &QComboBox::activated, this,
            [this] { m_wantedPrecision = precisionValue(); });
    connect(m_engine, &QComboBox::currentIndexChanged, this, [this] {
        listPrecisions();
        m_engine->setToolTip(m_engine->currentText());
        emit changed();
    });
    connect(m_precision, &QComboBox::currentIndexChanged, this, &EngineInput::changed);
    connect(m_threads, &QComboBox::currentIndexChanged, this, &EngineInput::changed);
}

QWidget* EngineInput::engine() const
{
    return m_engine;
}

QWidget* EngineInput::precision() const
{
    return m_precision;
}

QWidget* EngineInput::threads() const
{
    return m_threads;
}

void EngineInput::setEngines(std::vector<EngineChoice> engines)
{
    m_engines = std::move(engines);
    {
        const QSignalBlocker quiet(m_engine);
        m_engine->clear();
        auto* const items = qobject_cast<QStandardItemModel*>(m_engine->model());
        for (const EngineChoice& each : m_engines) {
            const QString reason = reasonOf(each);
            m_engine->addItem(reason.isEmpty()
                                  ? text(each.description)
                                  : text(each.description) + QLatin1Char('\n') + reason);
            QStandardItem* const item = items->item(m_engine->count() - 1);
            item->setEnabled(each.usable());
            item->setToolTip(each.usable() ? text(each.detail) : reason);
        }
        m_engine->setCurrentIndex(-1);
        show();
    }
    m_engine->setToolTip(m_engine->currentText());
    widenList();
    listPrecisions();
    emit changed();
}

const EngineChoice* EngineInput::choice() const
{
    const int index = m_engine->currentIndex();
    if (index < 0 || !m_engines[static_cast<std::size_t>(index)].usable())
        return nullptr;
    return &m_engines[static_cast<std::size_t>(index)];
}

const EngineChoice* EngineInput::usable(const std::string& id) const
{
    const auto found =
        std::find_if(m_engines.begin(), m_engines.end(),
                     [&](const EngineChoice& each) { return each.id == id && each.usable(); });
    return found == m_engines.end() ? nullptr : &*found;
}

std::vector<EngineChoice> EngineInput::choiceAndEquals() const
{
    if (choice() == nullptr)
        return {};
    std::vector<EngineChoice> equals = {*choice()};
    if (!isGpu(choice()->id))
        return equals;
    for (const EngineChoice& each : m_engines) {
        const auto& offered = each.precisions;
        if (each.usable() && isGpu(each.id) && each.id != choice()->id
            && std::find(offered.begin(), offered.end(), precisionValue()) != offered.end())
            equals.push_back(each);
    }
    return equals;
}

void EngineInput::choose(const std::string& id)
{
    m_wanted = id;
    show();
}

void EngineInput::show()
{
    const auto usable = [](const EngineChoice& each) { return each.usable(); };
    auto found = std::find_if(m_engines.begin(), m_engines.end(), [&](const EngineChoice& each) {
        return each.id == m_wanted && each.usable();
    });
    if (found == m_engines.end() && choice() == nullptr)
        found = std::find_if(m_engines.begin(), m_engines.end(), usable);
    if (found != m_engines.end())
        m_engine->setCurrentIndex(static_cast<int>(found - m_engines.begin()));
}

Precision EngineInput::precisionValue() const
{
    return m_precision->currentIndex() < 0
        ? Precision::Fp32
        : static_cast<Precision>(m_precision->currentData().toInt());
}

void EngineInput::setPrecision(Precision precision)
{
    m_wantedPrecision = precision;
    if (const int index = m_precision->findData(static_cast<int>(precision)); index >= 0)
        m_precision->setCurrentIndex(index);
}

int EngineInput::threadsValue() const
{
    return m_threads->currentData().toInt();
}

void EngineInput::setThreads(int threads)
{
    if (const int index = m_threads->findData(threads); index >= 0)
        m_threads->setCurrentIndex(index);
}

// The list may be wider than the box, so that a reason can be read in it.
void EngineInput::widenList()
{
    QAbstractItemView* const list = m_engine->view();
    constexpr int widest = 900;
    list->setMinimumWidth(std::min(widest, list->sizeHintForColumn(0)));
}

QString EngineInput::note() const
{
    QStringList lines;
    constexpr int arrow = 30; // of the box, and its frame
    if (choice() != nullptr
        && m_engine->fontMetrics().horizontalAdvance(m_engine->currentText())
            > m_engine->width() - arrow)
        lines << m_engine->currentText();
    for (const EngineChoice& each : m_engines)
        if (!each.usable())
            lines << text(each.description) + QStringLiteral(": ") + reasonOf(each);
    return lines.join(QLatin1Char('\n'));
}

QString EngineInput::problem() const
{
    if (choice() != nullptr)
        return {};
    return m_engines.empty() ? tr("The engines are being looked for.")
                             : tr("No engine of this machine can be used.");
}

void EngineInput::listPrecisions()
{
    const QSignalBlocker quiet(m_precision);
    m_precision->clear();
    m_precision->setEnabled(choice() != nullptr && choice()->precisions.size() > 1);
    m_threads->setEnabled(choice() == nullptr || !isGpu(choice()->id));
    if (choice() == nullptr)
        return;
    for (const Precision precision : choice()->precisions) {
        m_precision->addItem(QString::fromUtf8(precisionName(precision)),
                             static_cast<int>(precision));
        if (precision == m_wantedPrecision)
            m_precision->setCurrentIndex(m_precision->count() - 1);
    }
}

bool EngineInput::eventFilter(QObject* object, QEvent* event)
{
    if (object == m_engine && event->type() == QEvent::Resize)
        emit changed();
    return QObject::eventFilter(object, event);
}

} // namespace fullbatch
