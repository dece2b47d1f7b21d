// SPDX-License-Identifier: Apache-2.0
//
// Where the versions of Clang that the plugin is built for (19 and 22) differ.
#pragma once

#include "frontend/clang/pch.hpp"

namespace tlaloc::frontend {

inline clang::QualType tag_type(const clang::ASTContext& context, const clang::TagDecl* d) {
#if CLANG_VERSION_MAJOR >= 22
  return context.getCanonicalTagType(d);
#else
  return context.getCanonicalType(context.getTypeDeclType(d));
#endif
}

/// The definition of an enumeration type, or what is declared of it; null for other types.
inline const clang::EnumDecl* enumeration(clang::QualType t) {
  auto* type = t->getAs<clang::EnumType>();
  if (!type) return nullptr;
  const clang::EnumDecl* definition = type->getDecl()->getDefinition();
  return definition ? definition : type->getDecl();
}

inline void add_external_source(clang::Sema& sema, const llvm::IntrusiveRefCntPtr<clang::ExternalSemaSource>& source) {
#if CLANG_VERSION_MAJOR >= 22
  sema.addExternalSource(source);
#else
  sema.addExternalSource(source.get());
#endif
}

}  // namespace tlaloc::frontend
