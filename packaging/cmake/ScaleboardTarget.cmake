# SPDX-License-Identifier: GPL-3.0-or-later
# One place for the options every target of the project is compiled with.

# scaleboard_options(TARGET): warnings, sanitizers and Qt hygiene.
function(scaleboard_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow)
  # GCC 12 sees overlapping copies in `"text" + std::string` where there are none (its bug 105329).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  if(SCALEBOARD_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(SCALEBOARD_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=undefined
      -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=address,undefined)
  endif()
  if(SCALEBOARD_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  endif()
  target_compile_definitions(${target} PRIVATE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_FOREACH QT_NO_KEYWORDS)
endfunction()
