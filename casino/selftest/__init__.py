"""`manage.py selftest`: known faults put into throw-away copies of a house, and which control catches each.

A control nobody has seen catch anything is a hope. So a demonstration house is built in a database of its
own, proved clean, and copied; a fault is put into a copy as somebody would (a person through the write
functions, a program by SQL, the owner of the server with the guards off), and what answers is compared with
what was promised.

    copies.py      databases that are made and dropped again, whatever happens
    aside.py       nothing of it reaches the house's files or its workers
    printing.py    the fingerprint of a copy: was it clean, did the fault change anything, did a refusal
    controls.py    what is run at night, and what it names
    catching.py    who caught a fault: a rule, a trigger, a constraint, a proof
    faults.py      what a fault is; `hands.py`: by whose hand it comes
    running.py     one fault after another, and the verdict
    telling.py     the table and the JSON
    on_*.py        the faults by subject

Nothing here touches the data of the house that runs it. docs/selftest.md says it for people.
"""
