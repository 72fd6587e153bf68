package corfu.objects.processor;

import corfu.objects.serial.rule.ValueSketch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;

/** Sketches the declared type of a value during compilation. */
record ModelValue(TypeMirror type, Model model) implements ValueSketch {

  @Override
  public Form form() {
    if (type.getKind().isPrimitive() || type.getKind() == TypeKind.VOID) {
      return Form.PRIMITIVE;
    } else if (type.getKind() == TypeKind.ARRAY) {
      return Form.ARRAY;
    }
    return model.elementOf(type).map(this::formOf).orElse(Form.OPEN);
  }

  private Form formOf(TypeElement element) {
    if (Model.isOfThePlatform(model.binaryName(element))) {
      return Form.PLATFORM;
    }
    return switch (element.getKind()) {
      case ENUM -> Form.ENUM;
      case RECORD -> Form.RECORD;
      case CLASS -> Model.is(element, Modifier.ABSTRACT) ? Form.ABSTRACT_CLASS : Form.CLASS;
      default -> Form.OPEN;
    };
  }

  private TypeElement element() {
    return model.elementOf(type).orElseThrow();
  }

  @Override
  public String name() {
    return model.elementOf(type).map(model::binaryName).orElse(type.toString());
  }

  @Override
  public List<Part> parts() {
    return switch (form()) {
      case ARRAY -> List.of(part("", ((ArrayType) type).getComponentType()));
      case RECORD ->
          element().getRecordComponents().stream()
              .map(each -> part("component " + each.getSimpleName(), each.asType()))
              .toList();
      case CLASS, ABSTRACT_CLASS ->
          fieldsOf(element(), model).stream()
              .map(each -> part("field " + each.getSimpleName(), each.asType()))
              .toList();
      case PLATFORM ->
          ((DeclaredType) type)
              .getTypeArguments().stream().map(argument -> part("", argument)).toList();
      default -> List.of();
    };
  }

  private Part part(String name, TypeMirror part) {
    return new Part(name, new ModelValue(part, model));
  }

  /** Returns the fields that make up an instance, those of the highest superclass first. */
  static List<VariableElement> fieldsOf(TypeElement type, Model model) {
    List<VariableElement> fields = new ArrayList<>();
    for (TypeElement each : model.chainOf(type)) {
      if (Model.isOfThePlatform(model.binaryName(each))) {
        break;
      }
      fields.addAll(
          0,
          ElementFilter.fieldsIn(each.getEnclosedElements()).stream()
              .filter(field -> field.getKind() == ElementKind.FIELD)
              .filter(field -> !Model.is(field, Modifier.STATIC))
              .filter(field -> !Model.is(field, Modifier.TRANSIENT))
              .toList());
    }
    return fields;
  }

  @Override
  public Optional<String> finalField() {
    return fieldsOf(element(), model).stream()
        .filter(field -> Model.is(field, Modifier.FINAL))
        .map(field -> field.getSimpleName().toString())
        .findFirst();
  }

  @Override
  public boolean hasConstructor() {
    return ModelClass.constructorOf(element()).isPresent();
  }
}
