//! The items of a list and the fields of a struct, which are read alike.

use super::complaint::Complaint;
use super::reader::{Reader, Strangers};
use serde::de::{DeserializeSeed, Error, SeqAccess};
use serde_json::{Map, Value};

/// The items of a list, or the fields of a struct.
pub(super) struct Items {
    /// None for a field that was not given.
    rest: std::vec::IntoIter<Option<Value>>,
    /// The names of the fields; of a list none. A field that has another spelling has it behind its name.
    names: &'static [&'static str],
    read: usize,
    /// Why the item that was read last cannot be left out, if it was.
    lacking: Option<Complaint>,
    strangers: Strangers,
}

impl Items {
    pub(super) fn new(items: Vec<Value>, strangers: Strangers) -> Self {
        let items: Vec<Option<Value>> = items.into_iter().map(Some).collect();
        Self { rest: items.into_iter(), names: &[], read: 0, lacking: None, strangers }
    }

    pub(super) fn of_struct(
        members: Map<String, Value>,
        names: &'static [&'static str],
        strangers: Strangers,
    ) -> Result<Self, Complaint> {
        let mut fields = Vec::new();
        fields.resize_with(names.len(), || None);
        let mut next = 0;
        for (name, value) in members {
            // What was stored has its members in the order of the fields.
            let is_next = names.get(next).is_some_and(|known| *known == name);
            let place = if is_next { Some(next) } else { names.iter().position(|known| *known == name) };
            match place {
                Some(place) => {
                    next = place + 1;
                    let place = if is_spelling(names, place) { place - 1 } else { place };
                    let Some(field @ None) = fields.get_mut(place) else {
                        return Err(
                            Complaint::custom("is given in two spellings; leave one out").of_property(&name)
                        );
                    };
                    *field = Some(value);
                }
                None if strangers == Strangers::Pass => {}
                None => return Err(Complaint::unknown_field(&name, names).of_property(&name)),
            }
        }
        Ok(Self { rest: fields.into_iter(), names, read: 0, lacking: None, strangers })
    }

    /// Says where the item that was read last is.
    #[cold]
    fn placed(&self, complaint: Complaint) -> Complaint {
        let place = self.read.saturating_sub(1);
        match self.names.get(place) {
            Some(name) => complaint.of_property(name),
            None => complaint.of_item(place),
        }
    }

    /// A struct's own complaint, which can only be that the field read last was not given.
    #[cold]
    pub(super) fn missing(&mut self, complaint: Complaint) -> Complaint {
        match self.lacking.take() {
            Some(lacking) if complaint.place().is_empty() => self.placed(lacking),
            _ => complaint,
        }
    }

    /// Goes to the next item or field.
    fn next(&mut self) -> Option<Option<Value>> {
        while matches!(self.rest.as_slice(), [None, ..]) && is_spelling(self.names, self.read) {
            self.rest.next();
            self.read += 1;
        }
        self.read += 1;
        self.rest.next()
    }
}

impl<'de> SeqAccess<'de> for &mut Items {
    type Error = Complaint;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Complaint> {
        let Some(value) = self.next() else { return Ok(None) };
        let is_given = value.is_some();
        match seed.deserialize(Reader { value, strangers: self.strangers }) {
            Ok(read) => Ok(Some(read)),
            Err(complaint) if is_given => Err(self.placed(complaint)),
            // The struct has a default for it, or complains.
            Err(complaint) => {
                self.lacking = Some(complaint);
                Ok(None)
            }
        }
    }
}

/// Whether a name is the one before it with underscores, such as `tool_calls` behind `toolCalls`.
fn is_spelling(names: &[&str], place: usize) -> bool {
    let Some([before, name]) = place.checked_sub(1).and_then(|before| names.get(before..=place)) else {
        return false;
    };
    // The underscores make it longer: most names are told apart without a look at their letters.
    name.len() > before.len() && name.replace('_', "").eq_ignore_ascii_case(before)
}
