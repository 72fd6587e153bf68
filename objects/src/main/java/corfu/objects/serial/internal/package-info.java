/**
 * The standard serializer's inside. {@code ValueWriter} and {@code ValueReader} are the two
 * directions. {@code Shapes} describe classes with fields. {@code KnownTypes} are the classes of
 * which instances may be made.
 */
@NullMarked
package corfu.objects.serial.internal;

import org.jspecify.annotations.NullMarked;
