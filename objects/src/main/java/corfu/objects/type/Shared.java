package corfu.objects.type;

/**
 * An accessor's immutable result, which is part of a persistent structure. Callers receive it
 * without a copy. Other results are copied, unless they are simple values. The result shares its
 * content with the object. So a caller must not change a mutable value in it.
 */
public interface Shared {}
