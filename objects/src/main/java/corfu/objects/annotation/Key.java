package corfu.objects.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method reads and changes only what belongs to the key that this parameter is. Transactions
 * that touch different keys of an object then do not stand in each other's way. A method without
 * such a parameter is about the whole object.
 *
 * <p>It is a promise: a method that touches more than it says makes transactions wrong, not slow.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Key {}
