// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/cublaslt_descriptors.h"

#include "tests/cuda_emulation/control.h"
#include "tests/cuda_emulation/cublaslt_attributes.h"

#include <cstring>
#include <deque>
#include <memory>
#include <mutex>

namespace fullbatch::emulation::cublaslt {
namespace {

template <typename Contents>
Contents* find(typename Kind<Contents>::Opaque* descriptor)
{
    static_assert(sizeof(Contents) <= sizeof(typename Kind<Contents>::Opaque));
    auto* found = reinterpret_cast<Contents*>(descriptor);
    return found != nullptr && found->mark == Kind<Contents>::mark ? found : nullptr;
}

/// Keeps the last destroyed descriptors readable and out of use, so that a program that still uses
/// one is found out instead of meeting another descriptor at the same address.
template <typename Opaque>
void quarantine(Opaque* descriptor)
{
    static std::mutex mutex;
    static std::deque<std::unique_ptr<Opaque>> last;
    const std::lock_guard lock(mutex);
    last.emplace_back(descriptor);
    if (last.size() > 4096)
        last.pop_front();
}

template <typename Contents>
cublasStatus_t initialise(typename Kind<Contents>::Opaque* descriptor, std::size_t size,
                          const Contents& values)
{
    if (descriptor == nullptr)
        return refuse(CUBLAS_STATUS_INVALID_VALUE,
                      std::string("There is no room for the ") + Kind<Contents>::name + ".");
    if (size < sizeof *descriptor)
        return refuse(CUBLAS_STATUS_ALLOC_FAILED,
                      std::string("The room for the ") + Kind<Contents>::name + " is too small.");
    std::memset(descriptor, 0, sizeof *descriptor);
    std::memcpy(descriptor, &values, sizeof values);
    return CUBLAS_STATUS_SUCCESS;
}

template <typename Contents>
cublasStatus_t create(const char* function, typename Kind<Contents>::Opaque** descriptor,
                      const Contents& values)
{
    if (const auto fault = faultOf(function))
        return static_cast<cublasStatus_t>(*fault);
    if (descriptor == nullptr)
        return refuse(CUBLAS_STATUS_INVALID_VALUE,
                      std::string("There is nowhere to put the ") + Kind<Contents>::name + ".");
    auto made = std::make_unique<typename Kind<Contents>::Opaque>();
    initialise(made.get(), sizeof *made, values);
    *descriptor = made.release();
    countLibraryObject(false, 1);
    return CUBLAS_STATUS_SUCCESS;
}

template <typename Contents>
cublasStatus_t destroy(const char* function, typename Kind<Contents>::Opaque* descriptor)
{
    if (const auto fault = faultOf(function))
        return static_cast<cublasStatus_t>(*fault);
    if (descriptor == nullptr)
        return CUBLAS_STATUS_SUCCESS;
    Contents* found = find<Contents>(descriptor);
    if (found == nullptr)
        return refuse(CUBLAS_STATUS_INVALID_VALUE,
                      std::string("This ") + Kind<Contents>::name
                          + " was destroyed before or never made.");
    found->mark = 0;
    quarantine(descriptor);
    countLibraryObject(false, -1);
    return CUBLAS_STATUS_SUCCESS;
}

template <typename Contents>
const Attribute* findAttribute(int id)
{
    for (const Attribute& attribute : Kind<Contents>::attributes) {
        if (attribute.id == id)
            return &attribute;
    }
    return nullptr;
}

template <typename Contents>
cublasStatus_t setAttribute(const char* function, typename Kind<Contents>::Opaque* descriptor,
                            int id, const void* value, std::size_t size)
{
    if (const auto fault = faultOf(function))
        return static_cast<cublasStatus_t>(*fault);
    Contents* found = find<Contents>(descriptor);
    const Attribute* attribute = findAttribute<Contents>(id);
    if (found == nullptr || attribute == nullptr || value == nullptr || size != attribute->size)
        return refuse(CUBLAS_STATUS_INVALID_VALUE,
                      std::string("Attribute ") + std::to_string(id) + " of a "
                          + Kind<Contents>::name + " cannot be set from " + std::to_string(size)
                          + " bytes"
                          + (found == nullptr ? ": it was destroyed or never made." : "."));
    std::memcpy(reinterpret_cast<char*>(found) + attribute->offset, value, size);
    return CUBLAS_STATUS_SUCCESS;
}

template <typename Contents>
cublasStatus_t getAttribute(const char* function, typename Kind<Contents>::Opaque* descriptor,
                            int id, void* value, std::size_t size, std::size_t* written)
{
    if (const auto fault = faultOf(function))
        return static_cast<cublasStatus_t>(*fault);
    const Contents* found = find<Contents>(descriptor);
    const Attribute* attribute = findAttribute<Contents>(id);
    const bool asksSize = size == 0 && written != nullptr;
    if (found == nullptr || attribute == nullptr
        || (!asksSize && (value == nullptr || size != attribute->size)))
        return refuse(CUBLAS_STATUS_INVALID_VALUE,
                      std::string("Attribute ") + std::to_string(id) + " of a "
                          + Kind<Contents>::name + " cannot be read into " + std::to_string(size)
                          + " bytes"
                          + (found == nullptr ? ": it was destroyed or never made." : "."));
    if (!asksSize)
        std::memcpy(value, reinterpret_cast<const char*>(found) + attribute->offset, size);
    if (written != nullptr)
        *written = attribute->size;
    return CUBLAS_STATUS_SUCCESS;
}

MatrixLayout newLayout(cudaDataType type, std::uint64_t rows, std::uint64_t columns,
                       std::int64_t leadingDimension)
{
    MatrixLayout layout = {};
    layout.mark = Kind<MatrixLayout>::mark;
    layout.rows = rows;
    layout.columns = columns;
    layout.leadingDimension = leadingDimension;
    layout.type = static_cast<std::uint32_t>(type);
    layout.batchCount = 1;
    return layout;
}

MatmulDescription newDescription(cublasComputeType_t computeType, cudaDataType_t scaleType)
{
    MatmulDescription description = {};
    description.mark = Kind<MatmulDescription>::mark;
    description.computeType = computeType;
    description.scaleType = scaleType;
    description.fillMode = CUBLAS_FILL_MODE_FULL;
    description.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    description.auxiliaryType = -1;
    description.biasType = -1;
    return description;
}

MatmulPreference newPreference()
{
    MatmulPreference preference = {};
    preference.mark = Kind<MatmulPreference>::mark;
    preference.implementationMask = ~std::uint64_t{0};
    preference.reductionMask = CUBLASLT_REDUCTION_SCHEME_MASK;
    for (std::uint32_t& alignment : preference.alignments)
        alignment = 256;
    return preference;
}

} // namespace

const MatrixLayout* contents(cublasLtMatrixLayout_t layout)
{
    return find<MatrixLayout>(layout);
}

const MatmulDescription* contents(cublasLtMatmulDesc_t description)
{
    return find<MatmulDescription>(description);
}

const MatmulPreference* contents(cublasLtMatmulPreference_t preference)
{
    return find<MatmulPreference>(preference);
}

} // namespace fullbatch::emulation::cublaslt

namespace cublaslt = fullbatch::emulation::cublaslt;

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, std::size_t size,
                                                 cudaDataType type, std::uint64_t rows,
                                                 std::uint64_t columns, std::int64_t ld)
{
    return cublaslt::initialise(layout, size, cublaslt::newLayout(type, rows, columns, ld));
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          std::uint64_t rows, std::uint64_t columns,
                                          std::int64_t ld)
{
    return cublaslt::create(__func__, layout, cublaslt::newLayout(type, rows, columns, ld));
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
    return cublaslt::destroy<cublaslt::MatrixLayout>(__func__, layout);
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* value, std::size_t size)
{
    return cublaslt::setAttribute<cublaslt::MatrixLayout>(__func__, layout, attribute, value, size);
}

cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                void* value, std::size_t size, std::size_t* written)
{
    return cublaslt::getAttribute<cublaslt::MatrixLayout>(__func__, layout, attribute, value, size,
                                                          written);
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t description, std::size_t size,
                                               cublasComputeType_t computeType,
                                               cudaDataType_t scaleType)
{
    return cublaslt::initialise(description, size,
                                cublaslt::newDescription(computeType, scaleType));
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* description,
                                        cublasComputeType_t computeType, cudaDataType_t scaleType)
{
    return cublaslt::create(__func__, description,
                            cublaslt::newDescription(computeType, scaleType));
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description)
{
    return cublaslt::destroy<cublaslt::MatmulDescription>(__func__, description);
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, std::size_t size)
{
    return cublaslt::setAttribute<cublaslt::MatmulDescription>(__func__, description, attribute,
                                                               value, size);
}

cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t attribute, void* value,
                                              std::size_t size, std::size_t* written)
{
    return cublaslt::getAttribute<cublaslt::MatmulDescription>(__func__, description, attribute,
                                                               value, size, written);
}

cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference,
                                                     std::size_t size)
{
    return cublaslt::initialise(preference, size, cublaslt::newPreference());
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference)
{
    return cublaslt::create(__func__, preference, cublaslt::newPreference());
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
    return cublaslt::destroy<cublaslt::MatmulPreference>(__func__, preference);
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, std::size_t size)
{
    return cublaslt::setAttribute<cublaslt::MatmulPreference>(__func__, preference, attribute,
                                                              value, size);
}

cublasStatus_t cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    void* value, std::size_t size,
                                                    std::size_t* written)
{
    return cublaslt::getAttribute<cublaslt::MatmulPreference>(__func__, preference, attribute,
                                                              value, size, written);
}
