package corfu.objects.rule;

import corfu.objects.type.Operation.Kind;

/**
 * What an annotation says of a method.
 *
 * @param kind what it does to the object
 * @param name what the log calls it; empty: by its signature
 */
public record OperationDeclaration(Kind kind, String name) {}
