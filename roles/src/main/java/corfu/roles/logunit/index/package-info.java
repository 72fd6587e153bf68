/**
 * The content of each address, in memory. {@code AddressIndex} combines the page map ({@link
 * corfu.roles.logunit.pagemap}), the streams ({@link corfu.roles.logunit.streamindex}), the trimmed
 * addresses ({@code TrimmedSet}) and the corrupt ones ({@code CorruptEntries}).
 */
@NullMarked
package corfu.roles.logunit.index;

import org.jspecify.annotations.NullMarked;
