package corfu.objects.processor;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.NestingKind;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions about the compiler's model of the source, in the terms of the Java language.
 */
record Model(Elements elements, Types types) {

  /** Returns the type's element, or empty if it is neither a class nor an interface. */
  Optional<TypeElement> elementOf(TypeMirror type) {
    return type.getKind() == TypeKind.DECLARED
        ? Optional.of((TypeElement) ((DeclaredType) type).asElement())
        : Optional.empty();
  }

  Optional<TypeElement> superclassOf(TypeElement type) {
    return elementOf(type.getSuperclass());
  }

  static boolean isObject(TypeElement type) {
    return type.getQualifiedName().contentEquals("java.lang.Object");
  }

  /** Returns the class and its superclasses without {@link Object}, the class itself first. */
  List<TypeElement> chainOf(TypeElement type) {
    List<TypeElement> chain = new ArrayList<>();
    Optional<TypeElement> each = Optional.of(type);
    while (each.isPresent() && !isObject(each.get())) {
      chain.add(each.get());
      each = superclassOf(each.get());
    }
    return chain;
  }

  /** Returns all interfaces of the class and of its superclasses. */
  Set<TypeElement> interfacesOf(TypeElement type) {
    Set<TypeElement> all = new LinkedHashSet<>();
    chainOf(type).forEach(each -> addInterfaces(each, all));
    return all;
  }

  private void addInterfaces(TypeElement of, Set<TypeElement> all) {
    for (TypeMirror each : of.getInterfaces()) {
      elementOf(each)
          .ifPresent(
              element -> {
                all.add(element);
                addInterfaces(element, all);
              });
    }
  }

  /** Returns the element itself if it is a class, or else the innermost class around it. */
  static TypeElement classOf(Element element) {
    @Nullable Element each = element;
    while (each != null) {
      if (each instanceof TypeElement type) {
        return type;
      }
      each = each.getEnclosingElement();
    }
    throw new IllegalArgumentException(element + " is in no class");
  }

  String binaryName(TypeElement type) {
    return elements.getBinaryName(type).toString();
  }

  PackageElement packageOf(Element element) {
    return elements.getPackageOf(element);
  }

  /** Returns the type's name in source, without type arguments and annotations. */
  String sourceName(TypeMirror type) {
    TypeMirror erased = types.erasure(type);
    return switch (erased.getKind()) {
      case ARRAY -> sourceName(((ArrayType) erased).getComponentType()) + "[]";
      case DECLARED, ERROR ->
          ((TypeElement) ((DeclaredType) erased).asElement()).getQualifiedName().toString();
      default -> erased.getKind().name().toLowerCase(Locale.ROOT); // a primitive type, or void
    };
  }

  /** Returns the same name as {@link Class#getSimpleName}. */
  String simpleName(TypeMirror type) {
    TypeMirror erased = types.erasure(type);
    return switch (erased.getKind()) {
      case ARRAY -> simpleName(((ArrayType) erased).getComponentType()) + "[]";
      case DECLARED, ERROR -> ((DeclaredType) erased).asElement().getSimpleName().toString();
      default -> sourceName(erased);
    };
  }

  /**
   * Returns a signature that is equal for methods that override each other, as long as no generic
   * type makes them differ.
   */
  String signatureOf(ExecutableElement method) {
    return method.getParameters().stream()
        .map(VariableElement::asType)
        .map(this::sourceName)
        .collect(Collectors.joining(",", method.getSimpleName() + "(", ")"));
  }

  /** Returns the method's name as messages show it. */
  String fullName(ExecutableElement method) {
    return method.getParameters().stream()
        .map(VariableElement::asType)
        .map(this::simpleName)
        .collect(
            Collectors.joining(
                ",", "%s.%s(".formatted(binaryName(classOf(method)), method.getSimpleName()), ")"));
  }

  static boolean is(Element element, Modifier modifier) {
    return element.getModifiers().contains(modifier);
  }

  /** Returns whether each instance of the class belongs to an instance of another class. */
  static boolean isInner(TypeElement type) {
    return type.getNestingKind() != NestingKind.TOP_LEVEL
        && type.getKind().isClass()
        && !is(type, Modifier.STATIC);
  }

  static boolean isOfThePlatform(String name) {
    return name.startsWith("java.") || name.startsWith("javax.");
  }

  /** Returns whether source in this package can name the type. */
  boolean isNameable(TypeMirror type, PackageElement from) {
    TypeMirror erased = types.erasure(type);
    if (erased.getKind() == TypeKind.ARRAY) {
      return isNameable(((ArrayType) erased).getComponentType(), from);
    }
    Optional<TypeElement> element = elementOf(erased);
    return element.isEmpty()
        ? erased.getKind() != TypeKind.ERROR
        : isNameable(element.get(), packageOf(element.get()).equals(from));
  }

  private static boolean isNameable(TypeElement type, boolean isNear) {
    if (is(type, Modifier.PRIVATE) || !(isNear || is(type, Modifier.PUBLIC))) {
      return false;
    }
    return switch (type.getNestingKind()) {
      case TOP_LEVEL -> true;
      case MEMBER -> isNameable(outerOf(type), isNear);
      case LOCAL, ANONYMOUS -> false;
    };
  }

  private static TypeElement outerOf(TypeElement member) {
    return classOf(Objects.requireNonNull(member.getEnclosingElement(), "a member has a class"));
  }
}
