/// The version of the library and of the tool built on it.
package let toolVersion = "1.0.0"
