/**
 * The rules for values that the standard serializer can write, for the serializer and for the
 * compiler's plug-in: {@code ValueRules} judges a {@code ValueSketch} of a class.
 */
@NullMarked
package corfu.objects.serial.rule;

import org.jspecify.annotations.NullMarked;
